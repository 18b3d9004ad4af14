import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './main.css';
import { loadPlotLibrary } from './parts/plot-library.ts';
import { Page } from './views/page.tsx';

render(<Page />, document.getElementById('page')!);
void loadPlotLibrary();
