import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './main.css';
import { FleetView } from './views/fleet-view.tsx';

render(<FleetView />, document.getElementById('page')!);
