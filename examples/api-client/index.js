// @ts-check
import { argv, env } from 'node:process';
import { ApiClient } from 'waywiser/client';
import { listDevices } from './list-devices.js';

const [baseUrl = 'http://127.0.0.1:8080', count = '10'] = argv.slice(2);

// A token is needed where the collector has `tokens` configured; the role `read` is enough here.
const token = env['WAYWISER_TOKEN'];
const client = new ApiClient({ baseUrl, ...(token === undefined ? {} : { token }) });
try {
  for await (const { name, ip, port, state, why } of listDevices(client)) {
    console.log(`${name.padEnd(16)} ${`${ip}:${port}`.padEnd(21)} ${state.padEnd(10)} ${why}`);
  }
  // Follows two kinds of events. A lost connection is opened again, and nothing that the collector still keeps is missed.
  let left = Number(count);
  const events = client.events({
    names: ['device.state', 'discovery.completed'],
    onLost: () => console.error('The connection was lost; trying again.'),
  });
  for await (const { name, data } of events) {
    const detail = name === 'device.state' ? `${data.from} → ${data.to}: ${data.why}` : 'discovered';
    console.log(`${data.device.name.padEnd(16)} ${detail}`);
    if (--left <= 0) break;
  }
} catch (error) {
  // Both what the collector refuses (an ApiProblem) and what keeps the client from asking it have a code of docs/errors.md.
  if (!(error instanceof Error && 'code' in error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
