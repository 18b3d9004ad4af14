import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Plugin } from '../../../../../src/index.ts';
import { createTestBatch } from '../../../../../src/testing/index.ts';
import { runOutput, stopBeforeTimeouts } from '../running-output.ts';

const countTimers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

/** A stop must end a connection attempt to a server that accepts it and sends nothing. No socket and no timer may be left. */
export async function assertConnectEnds(
  plugin: Plugin,
  optionsFor: (port: number) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const taken: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    taken.push(socket.on('error', () => {}).resume());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const timersBefore = countTimers();
  try {
    const { port } = server.address() as AddressInfo;
    const output = await runOutput(plugin, optionsFor(port), { delivery: { drain_timeout_ms: 1 } });
    output.push(createTestBatch());
    await output.until(() => taken.length > 0);
    const [socket] = taken as [Socket];
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(20_000) });
    socket.on('end', () => socket.destroy());
    await stopBeforeTimeouts(output);
    assert.equal(output.logText.includes('did not stop'), false);
    await closed;
    assert.equal(countTimers(), timersBefore);
  } finally {
    for (const socket of taken) socket.destroy();
    server.close();
  }
}
