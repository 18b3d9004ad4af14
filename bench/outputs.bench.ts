import ndjsonFigures from './outputs/ndjson-figures.ts';

/** What outputs cost, one JSON line a figure: values per second of CPU, of 500 devices with 48 interfaces each. */
for await (const [figure, value, unit] of ndjsonFigures()) {
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit }));
}
