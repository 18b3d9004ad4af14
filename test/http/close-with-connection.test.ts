import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { it } from 'node:test';
import { closeWithConnection } from '../../src/http/close-with-connection.ts';
import { until } from '../support/until.ts';

it('closes every response of a cut connection, also those that wait behind another one', async (t) => {
  let requests = 0;
  let closed = 0;
  const server = createServer((request, response) => {
    requests++;
    closeWithConnection(request, response);
    response.on('close', () => closed++);
    response.write('part');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  client.pause().write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(5));
  await until(() => requests === 5);
  server.closeAllConnections();
  await until(() => closed === 5);
  client.destroy();
});
