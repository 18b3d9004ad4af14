import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { until } from './until.ts';

/** A TCP port of 127.0.0.1 that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** UDP ports of 127.0.0.1 that nobody had a moment ago, each another one. */
export async function findFreeUdpPorts(count: number): Promise<number[]> {
  const sockets = Array.from({ length: count }, () => createSocket('udp4'));
  for (const socket of sockets) {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  }
  const ports = sockets.map((socket) => socket.address().port);
  await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.close(done))));
  return ports;
}

/** Another process may have got the port meanwhile, mostly for one request. */
export async function untilUdpPortIsFree(port: number): Promise<void> {
  await until(async () => {
    const socket = createSocket('udp4');
    socket.bind(port, '127.0.0.1');
    const isFree = await once(socket, 'listening').then(
      () => true,
      () => false,
    );
    socket.close();
    return isFree;
  });
}
