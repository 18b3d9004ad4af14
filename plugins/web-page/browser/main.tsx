import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './main.css';
import { Page } from './views/page.tsx';

render(<Page />, document.getElementById('page')!);
