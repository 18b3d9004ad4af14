import { printFigure } from '../support/figure.ts';
import remoteWriteFigures from './remote-write-figures.ts';

/** The cost of remote write, one JSON line per result. The goal is a million samples per CPU second. */
const goal = 1_000_000;
for await (const [figure, value, unit] of remoteWriteFigures()) {
  const target = unit === 'samples/CPU s' ? { goal, reached: value >= goal } : {};
  printFigure(figure, { value: Number(value.toPrecision(3)), unit, ...target });
}
