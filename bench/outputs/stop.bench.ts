import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import kafka from '../../plugins/outputs/kafka/index.ts';
import mqtt from '../../plugins/outputs/mqtt/index.ts';
import nats from '../../plugins/outputs/nats/index.ts';
import postgres from '../../plugins/outputs/postgres/index.ts';
import { type Plugin, pipelineToken } from '../../src/index.ts';
import { createTestBatch, startTestCollector } from '../../src/testing/index.ts';
import { printFigure } from '../support/figure.ts';

/** How long an output takes to stop while its server has accepted the connection and sends nothing. */
const goalMs = 1_000;
const outputs: readonly (readonly [Plugin, (port: number) => object])[] = [
  [mqtt, (port) => ({ url: `mqtt://127.0.0.1:${port}` })],
  [nats, (port) => ({ servers: [`nats://127.0.0.1:${port}`] })],
  [kafka, (port) => ({ brokers: [`127.0.0.1:${port}`], topic: 't' })],
  [postgres, (port) => ({ port, database: 'd', username: 'u' })],
];

const sockets: Socket[] = [];
const server = createServer((socket) => void sockets.push(socket.on('error', () => {}).resume()));
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
for (const [plugin, optionsFor] of outputs) {
  const options = { ...optionsFor(port), delivery: { group_wait_ms: 0, drain_timeout_ms: 1 } };
  const collector = await startTestCollector({ plugins: [{ plugin, options }] });
  const accepted = once(server, 'connection');
  collector.getService(pipelineToken).push(createTestBatch());
  await accepted;
  const begunMs = performance.now();
  await collector.stop();
  const value = Math.round(performance.now() - begunMs);
  printFigure(`${plugin.name}, stop with a silent server`, {
    value,
    unit: 'ms',
    goal: goalMs,
    reached: value <= goalMs,
  });
}
for (const socket of sockets) socket.destroy();
server.close();
