import { once } from 'node:events';
import { connect } from 'node:net';
import { argv } from 'node:process';
import { connect as connectTls, createSecureContext } from 'node:tls';

/**
 * usage: flood-child URL CONNECTIONS ADDRESSES asks|silent. At a message it opens all connections at once from so many loopback addresses,
 * sends a request on each or nothing, keeps those that stay open, and says how many were answered when it is asked again.
 */
const [, , baseUrl = '', connections, addresses, kind] = argv;
const { protocol, hostname, port } = new URL(baseUrl);
const request = 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n';
const secureContext = createSecureContext();
let answered = 0;
process.on('disconnect', () => process.exit());
process.send?.('ready');
await once(process, 'message');
for (let i = 0; i < Number(connections); i++) {
  const place = i % Number(addresses);
  const localAddress = `127.1.${Math.floor(place / 250)}.${(place % 250) + 1}`;
  const raw = connect({ port: Number(port), host: hostname, localAddress }).on('error', () => {});
  const socket =
    protocol === 'https:' ? connectTls({ socket: raw, rejectUnauthorized: false, secureContext }) : raw;
  socket.on('error', () => {}).once('data', () => answered++);
  if (kind === 'asks') socket.write(request);
}
await once(process, 'message');
process.send?.(answered);
