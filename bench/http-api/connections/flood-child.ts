import { once } from 'node:events';
import { connect } from 'node:net';
import { argv } from 'node:process';
import { connect as connectTls, createSecureContext } from 'node:tls';

/**
 * usage: flood-child URL CONNECTIONS ADDRESSES asks|silent. At a message it opens all connections at once from so many loopback addresses,
 * sends a request on each or nothing, and keeps those that stay open. When each was answered, closed, or opened if it asks nothing, it says
 * how many were answered.
 */
const [, , baseUrl = '', connections, addresses, kind] = argv;
const { protocol, hostname, port } = new URL(baseUrl);
const request = 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n';
const secureContext = createSecureContext();
let [answered, settled] = [0, 0];
process.on('disconnect', () => process.exit());
process.send?.('ready');
await once(process, 'message');
for (let i = 0; i < Number(connections); i++) {
  const place = i % Number(addresses);
  const localAddress = `127.1.${Math.floor(place / 250)}.${(place % 250) + 1}`;
  const raw = connect({ port: Number(port), host: hostname, localAddress }).on('error', () => {});
  const socket =
    protocol === 'https:' ? connectTls({ socket: raw, rejectUnauthorized: false, secureContext }) : raw;
  let isSettled = false;
  const settle = () => {
    if (!isSettled && ++settled === Number(connections)) process.send?.(answered);
    isSettled = true;
  };
  socket.on('error', () => {}).once('close', settle);
  socket.once('data', () => {
    answered++;
    settle();
  });
  if (kind === 'asks') socket.write(request);
  else raw.once('connect', settle);
}
if (connections === '0') process.send?.(0);
