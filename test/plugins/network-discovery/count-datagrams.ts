import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

/** Takes what is sent to these addresses at one port, says nothing, and remembers where and when each datagram came. */
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
