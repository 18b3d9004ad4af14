import { buildCode } from '../../support/built-code.ts';
import { compareOutput, measureYardstick } from './compare-output.ts';
import { startCounterpart } from './counterpart.ts';

/** The cost per row of the outputs that post, uncompressed, compared with JSON of all rows in one body. */
buildCode();
using receiver = await startCounterpart('receiver-process.ts');
const url = `http://127.0.0.1:${receiver.port}`;
const bare = await measureYardstick('JSON.stringify and fetch', async (records) => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(records) });
  await response.arrayBuffer();
});
for (const [figure, plugin, own] of [
  ['otlp, protobuf', 'otlp', { encoding: 'protobuf' }],
  ['otlp, JSON', 'otlp', { encoding: 'json' }],
  ['influx', 'influx', { database: 'snmp' }],
  ['elasticsearch', 'elasticsearch', {}],
] as const) {
  await compareOutput(`${figure}, posted`, { plugin, options: { url, gzip: false, ...own } }, bare);
}
