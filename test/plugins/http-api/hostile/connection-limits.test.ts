import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { platform } from 'node:os';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectionGate, type GateLimits } from '../../../../plugins/http-api/server/connection-gate.ts';
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
    const busy = () => {
      for (const end = performance.now() + 6; performance.now() < end; );
    };
    const { arrive, taken } = openGate({}, busy);
    const arriving = ['::1', '::1', '::1', '::1'].map(arrive);
    await nextTurn();
    assert.equal(taken.length, 0, 'others may have arrived in the same turn');
    for (let turn = 1; turn <= 4; turn++) {
      await nextTurn();
      assert.equal(taken.length, turn);
    }
    assert.deepEqual(taken, arriving);
  });

  it('that send nothing never reach the server, and are closed after the time for a request', async (t) => {
    const { baseUrl } = await startApi(t, new DefinitionFolder(t), { api: { limits: { request_ms: 100 } } });
    const silent = connectTo(baseUrl);
    assert.equal((await silent.setEncoding('utf8').toArray()).join(''), '');
  });

  it('that are closed before they send anything make room for others', async (t) => {
    const { baseUrl } = await startApi(t, new DefinitionFolder(t), { api: { limits: { connections: 3 } } });
    const silent = Array.from({ length: 3 }, () => connectTo(baseUrl));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    for (const socket of silent) socket.destroy();
    await until(async () => (await exchange(baseUrl, request).catch(() => '')).startsWith('HTTP/1.1 200'));
  });

  it('that have sent nothing do not delay a stop', async (t) => {
    const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t));
    const silent = connectTo(baseUrl).resume();
    await once(silent, 'connect');
    await exchange(baseUrl, request);
    await Promise.all([once(silent, 'close'), collector.stop()]);
  });

  it('of an address wait behind those of all other addresses, not behind all that came before', async () => {
    const { arrive, taken } = openGate();
    const [first, second, third] = ['127.0.0.1', '127.0.0.1', '127.0.0.1'].map(arrive);
    const other = arrive('127.0.0.2');
    while (taken.length < 4) await nextTurn();
    assert.deepEqual(taken, [first, other, second, third]);
  });

  it('beyond the limit of all close the oldest of the address with the most, and none when all have as many', () => {
    const { arrive, gate } = openGate({ connections: 4 });
    const [oldest, ...others] = ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2'].map(arrive);
    const late = arrive('127.0.0.3');
    assert.ok(oldest!.destroyed && !late.destroyed);
    assert.ok(others.every(({ destroyed }) => !destroyed));
    assert.ok(arrive('127.0.0.1').destroyed, 'one of the address with the most');
    assert.ok(!arrive('127.0.0.4').destroyed);
    assert.ok(arrive('127.0.0.5').destroyed, 'all have one');
    assert.deepEqual(gate.refused, { total: 4, address: 0 });
  });
});

class Connection extends EventEmitter {
  destroyed = false;
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  resume() {
    return this;
  }

  setTimeout() {
    return this;
  }

  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

/** `taken` lists the connections that reached the server, which does `work` for each. */
function openGate(limits: Partial<GateLimits> = {}, work = () => {}) {
  const server = new EventEmitter();
  const taken: Connection[] = [];
  server.on('connection', (connection: Connection) => {
    taken.push(connection);
    work();
  });
  const all = { connections: 10, connections_per_address: 10, request_ms: 1_000, ...limits };
  const gate = new ConnectionGate(all, () => assert.fail());
  gate.guard(server as Server);
  const arrive = (address: string) => {
    const connection = new Connection(address);
    server.emit('connection', connection);
    connection.emit('readable');
    return connection;
  };
  return { gate, arrive, taken };
}
