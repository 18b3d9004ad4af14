import { printFigure } from '../support/figure.ts';
import remoteWriteFigures from './remote-write-figures.ts';

/** What remote write costs, one JSON line a figure; the goal is a million samples a second of CPU. */
const goal = 1_000_000;
for await (const [figure, value, unit] of remoteWriteFigures()) {
  const target = unit === 'samples/CPU s' ? { goal, reached: value >= goal } : {};
  printFigure(figure, { value: Number(value.toPrecision(3)), unit, ...target });
}
