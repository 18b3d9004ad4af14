import ndjsonFigures from './ndjson-figures.ts';
import prometheusFigures from './prometheus-figures.ts';

/** The cost of outputs, one JSON line per result: values per CPU second, for 500 devices with 48 interfaces each. */
for (const figures of [ndjsonFigures, prometheusFigures]) {
  for await (const [figure, value, unit] of figures()) {
    console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit }));
  }
}
