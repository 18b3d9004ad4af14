import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

/** Receives datagrams at these addresses and one port without answering, and records where and when each one arrived. */
export async function countDatagrams(test: TestContext, hosts: readonly string[]) {
  const times: number[] = [];
  const addresses: string[] = [];
  let port = 0;
  for (const host of hosts) {
    const socket = createSocket('udp4').bind(port, host);
    test.after(() => socket.close());
    await once(socket, 'listening');
    port = socket.address().port;
    socket.on('message', () => {
      times.push(performance.now());
      addresses.push(host);
    });
  }
  return { port, times, addresses };
}
