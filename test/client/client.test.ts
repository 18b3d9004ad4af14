import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext, test } from 'node:test';
import poller from '../../plugins/snmp-poller/index.ts';
import { EventParser } from '../../src/client/event-parser.ts';
import { ApiClient, ApiProblem } from '../../src/client/index.ts';
import { startThreeSwitches } from '../plugins/http-api/support/three-switches.ts';

test('the API client with a collector', async (t) => {
  const { baseUrl, agents, collector } = await startThreeSwitches(t, { more: [{ plugin: poller }] });
  const client = new ApiClient({ baseUrl: `${baseUrl}/` });
  const path = { ip: '127.0.0.1', port: String(agents[0]!.port) };

  await t.test('calls operations with paths, queries and bodies', async () => {
    const { body } = await client.call('listDevices', { query: { text: 'b', limit: 1 } });
    assert.deepEqual([body.total, body.devices.map(({ name }) => name)], [1, ['b']]);
    assert.equal((await client.call('getDevice', { path })).body.name, 'a');
    assert.equal((await client.call('getObject', { path: { id: 'IF-MIB::ifEntry' } })).body.line, 1);
    const polled = await client.call('pollDevice', { path, query: { wait: true } });
    assert.ok(polled.status === 200 && polled.body.poll.values > 20);
    const asked = await client.call('rediscoverDevice', {
      query: { wait: true },
      body: { ip: path.ip, port: path.port },
    });
    assert.ok(asked.status === 200 && asked.body.discovery.outcome?.ok);
    assert.match((await client.call('getOwnMetrics')).body, /^waywiser_devices\{/m);
  });

  await t.test('repeats a parameter for each value of a list', async (t) => {
    const asked: (string | undefined)[] = [];
    const address = await serve(t, ({ url }, response) => {
      asked.push(url);
      response.setHeader('content-type', 'application/json').end('{"times":[],"series":[]}');
    });
    await new ApiClient({ baseUrl: address }).call('getHistory', {
      query: { device: ['a', 'b,c'], record: 'x' },
    });
    assert.deepEqual(asked, ['/api/v1/history?device=a&device=b%2Cc&record=x']);
  });

  await t.test('rejects with the problem of the collector', async () => {
    const missing = client.call('getDevice', { path: { ip: '127.0.0.1', port: '9' } });
    await assert.rejects(missing, (error) => {
      assert.ok(error instanceof ApiProblem);
      assert.deepEqual([error.status, error.code], [404, 'HTTP_DEVICE_UNKNOWN']);
      assert.match(error.message, /There is no device 127\.0\.0\.1 port 9\./);
      assert.deepEqual(Object.keys(error.members), ['nearest']);
      assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/);
      return true;
    });
    const impossible = client.call('getDevice', { path: { ip: '../../readyz', port: '1' } });
    await assert.rejects(impossible, { code: 'HTTP_ADDRESS_IMPOSSIBLE' });
  });

  await t.test('receives events, the missed ones first', async () => {
    const body = { ip: path.ip, port: path.port };
    const names = ['discovery.started', 'discovery.completed'] as const;
    const first = client.events({ names, device: 'a' });
    const heard = first.next();
    await client.call('listDevices');
    await client.call('rediscoverDevice', { query: { wait: true }, body });
    const { value: started } = await heard;
    assert.ok(started?.name === 'discovery.started' && started.data.cause === 'requested');
    assert.ok(Math.abs(Date.parse(started.time ?? '') - Date.now()) < 600_000);
    await first.return();
    const again = client.events({ names, device: 'a', lastEventId: started.id });
    const { value: completed } = await again.next();
    assert.ok(completed?.name === 'discovery.completed' && completed.data.inventory.instances > 20);
    await again.return();
    await assert.rejects(client.events({ device: 'x'.repeat(400) }).next(), { code: 'HTTP_INPUT_INVALID' });
  });

  await t.test('ends an event stream when its signal aborts', async () => {
    const over = new AbortController();
    const events = client.events({ names: ['device.added'], signal: over.signal });
    const next = events.next();
    setTimeout(() => over.abort(), 20);
    assert.deepEqual(await next, { done: true, value: undefined });
  });

  await collector.stop();
  await assert.rejects(client.call('getCollector'), {
    code: 'API_UNREACHABLE',
    message: /nothing accepts connections there/,
  });
});

describe('the API client with another server', () => {
  it('sends its token or its password, and never follows a redirect with it', async (t) => {
    const seen: (string | undefined)[] = [];
    const baseUrl = await serve(t, (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end();
    });
    const client = new ApiClient({ baseUrl, token: 'wwt_secret' });
    await assert.rejects(client.call('getCollector'), { code: 'API_UNREACHABLE', message: /redirect/ });
    const person = new ApiClient({ baseUrl, user: { name: 'anna', password: 'pä:ss' } });
    await assert.rejects(person.call('getCollector'), { code: 'API_UNREACHABLE' });
    assert.deepEqual(seen, ['Bearer wwt_secret', `Basic ${Buffer.from('anna:pä:ss').toString('base64')}`]);
  });

  it('reports an answer that is not from a collector, and a missing answer', async (t) => {
    const page = await serve(t, (_, response) => response.writeHead(404).end('<h1>Not found</h1>'));
    await assert.rejects(new ApiClient({ baseUrl: page }).call('isReady'), {
      code: 'API_ANSWER_STRANGE',
      message: /answered 404/,
    });
    const json = (_: IncomingMessage, response: Parameters<RequestListener>[1]) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"half":');
    await assert.rejects(new ApiClient({ baseUrl: await serve(t, json) }).call('isReady'), {
      code: 'API_ANSWER_STRANGE',
    });
    const silent = new ApiClient({ baseUrl: await serve(t, () => {}), timeoutMs: 30 });
    await assert.rejects(silent.call('isReady'), { code: 'API_TIMEOUT' });
    await assert.rejects(silent.call('isReady', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  it('yields events.missed where all events are wanted or it is named, and goes on after it', async (t) => {
    const baseUrl = await serve(t, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        'id: 1\nevent: events.missed\ndata: {"count":2,"until":"2026-01-01T00:00:00Z","why":"x"}\n\n',
      );
      response.write('id: 2\nevent: device.added\ndata: {"cause":"x"}\n\n');
    });
    const client = new ApiClient({ baseUrl });
    const readOne = async (names?: readonly ('device.added' | 'events.missed')[]) => {
      const events = client.events(names === undefined ? {} : { names });
      const { value } = await events.next();
      await events.return();
      return value?.name === 'events.missed' ? value.data.count : value?.name;
    };
    assert.equal(await readOne(), 2);
    assert.equal(await readOne(['device.added', 'events.missed']), 2);
    assert.equal(await readOne(['device.added']), 'device.added');
  });

  it('reconnects to a broken stream with the id of the last event', async (t) => {
    const lastIds: (string | undefined)[] = [];
    const baseUrl = await serve(t, (request, response) => {
      lastIds.push(request.headers['last-event-id'] as string | undefined);
      if (lastIds.length === 2) return response.writeHead(503).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: 5\n\nid: ${lastIds.length}\nevent: device.added\ndata: {"cause":"x"}\n\n`);
      return setTimeout(() => response.destroy(), 5);
    });
    const lost: unknown[] = [];
    const ids: string[] = [];
    for await (const { id } of new ApiClient({ baseUrl }).events({ onLost: (error) => lost.push(error) })) {
      ids.push(id);
      if (ids.length === 2) break;
    }
    assert.deepEqual(ids, ['1', '3']);
    assert.deepEqual(lastIds, [undefined, '1', '1']);
    assert.equal(lost.length, 2);
  });
});

describe('the event parser', () => {
  it('returns the same events for any chunks', () => {
    const text =
      ':\n\nid: 1\r\ntime: 2026-11-23T14:00:00.000Z\r\nmember: m\r\nevent: a\r\ndata: {"x":\r\ndata: 1}\r\n\r\nretry: 7\nid: 2\ndata: ü\n\nid: 3\n\n';
    const expected = [
      { id: '1', time: '2026-11-23T14:00:00.000Z', member: 'm', name: 'a', data: '{"x":\n1}' },
      { id: '2', time: undefined, member: undefined, name: '', data: 'ü' },
    ];
    for (let cut = 0; cut <= text.length; cut++) {
      const parser = new EventParser();
      assert.deepEqual([...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))], expected);
      assert.equal(parser.retryMs, 7);
    }
    const parser = new EventParser();
    assert.deepEqual(
      [...text].flatMap((character) => parser.push(character)),
      expected,
    );
  });
});

/** Starts a server, and returns its address. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
