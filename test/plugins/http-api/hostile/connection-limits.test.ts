import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { platform } from 'node:os';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectionGate } from '../../../../plugins/http-api/server/connection-gate.ts';
import { until } from '../../../support/until.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';
import { connectTo, exchange } from '../support/exchange.ts';

const request = 'GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

describe('new connections', () => {
  it('beyond the limit of their address are answered with 503, closed and counted', async (t) => {
    const { baseUrl } = await startApi(t, new DefinitionFolder(t), {
      api: { limits: { connections_per_address: 3 } },
    });
    const open = Array.from({ length: 3 }, () => connectTo(baseUrl).on('error', () => {}));
    t.after(() => open.forEach((socket) => void socket.destroy()));
    await Promise.all(open.map((socket) => once(socket, 'connect')));
    const refused = await exchange(baseUrl, '');
    assert.match(
      refused,
      /^HTTP\/1\.1 503 .*connection: close\r\n.*HTTP_CONNECTIONS.*connections_per_address/s,
    );
    open[0]!.destroy();
    let metrics = '';
    await until(async () => {
      metrics = await exchange(baseUrl, request).catch(() => '');
      return metrics.startsWith('HTTP/1.1 200');
    });
    assert.match(metrics, /waywiser_http_connections_refused_total\{limit="address"\} [1-9]/);
    assert.match(metrics, /waywiser_http_connections_refused_total\{limit="total"\} 0/);
  });

  it('of one address leave room for those of others', {
    skip: platform() !== 'linux' && 'needs 127.0.0.2',
  }, async (t) => {
    const { baseUrl } = await startApi(t, new DefinitionFolder(t), {
      api: { host: '0.0.0.0', insecure: true, limits: { connections: 6, connections_per_address: 3 } },
    });
    const greedy = Array.from({ length: 20 }, () => connectTo(baseUrl).on('error', () => {}));
    t.after(() => greedy.forEach((socket) => void socket.destroy()));
    await Promise.all(greedy.slice(3).map((socket) => once(socket.resume(), 'close')));
    const other = connectTo(baseUrl, '127.0.0.2').on('error', () => {});
    t.after(() => other.destroy());
    other.write(request);
    assert.match(String((await once(other, 'data'))[0]), /^HTTP\/1\.1 200 /);
  });

  it('that arrive together are taken over several turns of the event loop', async () => {
    const server = new EventEmitter();
    const taken: Socket[] = [];
    server.on('connection', (socket: Socket) => {
      taken.push(socket);
      for (const end = performance.now() + 6; performance.now() < end; );
    });
    const gate = new ConnectionGate({ connections: 10, connections_per_address: 10 }, () => assert.fail());
    gate.guard(server as Server);
    const arriving = Array.from({ length: 4 }, () => new EventEmitter() as Socket);
    for (const socket of arriving) server.emit('connection', socket);
    assert.equal(taken.length, 0);
    for (let turn = 1; turn <= 4; turn++) {
      await nextTurn();
      assert.equal(taken.length, turn);
    }
    assert.deepEqual(taken, arriving);
  });
});
