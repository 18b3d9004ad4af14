import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventJournal } from '../../../plugins/http-api/events/event-journal.ts';
import { EventStream } from '../../../plugins/http-api/events/event-stream.ts';
import type { EventBus } from '../../../src/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startApi } from './support/api-stack.ts';

const path = '/api/v1/events';
const device = (name: string) => ({ name, ip: '192.0.2.1', port: 161 });

function tell(events: EventBus, name: string, why: string): void {
  events.emit('device.state', { device: device(name), from: 'up', to: 'suspect', why });
}

/** Reads a stream of events until `text` is in it. */
async function follow(test: TestContext, url: string, headers: Readonly<Record<string, string>> = {}) {
  const abort = new AbortController();
  test.after(() => abort.abort());
  const response = await fetch(url, { headers, signal: abort.signal });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    abort,
    async reads(wanted: string): Promise<string> {
      while (!text.includes(wanted)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`ended before "${wanted}": ${text}`);
        text += value;
      }
      return text;
    },
    async ends(): Promise<string> {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return text;
        text += value;
      }
    },
  };
}

describe('GET /api/v1/events', { concurrency: 2 }, () => {
  it('sends events as they happen, filtered by name and device', async (t) => {
    const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t));
    const all = await follow(t, baseUrl + path);
    const ofB = await follow(t, `${baseUrl}${path}?name=device.state,poll.failed&device=b`);
    tell(collector.events, 'a', 'first');
    tell(collector.events, 'b', 'second');
    collector.events.emit('device.removed', { device: device('b'), cause: 'third' });
    const text = await all.reads('third');
    assert.match(text, /^retry: 2000\n\n/);
    assert.match(text, /id: \d+\ntime: \S+\nevent: device\.state\ndata: \{.*"why":"first"\}\n\n/);
    tell(collector.events, 'b', 'fourth');
    const filtered = await ofB.reads('fourth');
    assert.ok(filtered.includes('second') && !filtered.includes('first') && !filtered.includes('third'));
  });

  it('continues after Last-Event-ID', async (t) => {
    const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t));
    const before = await follow(t, baseUrl + path);
    tell(collector.events, 'a', 'seen');
    const [, id] = /id: (\d+)\n(?:[^\n]+\n)*[^\n]*seen/.exec(await before.reads('seen'))!;
    before.abort.abort();
    tell(collector.events, 'a', 'missed');
    const after = await follow(t, baseUrl + path, { 'last-event-id': id! });
    tell(collector.events, 'a', 'later');
    const text = await after.reads('later');
    assert.ok(
      text.indexOf('missed') < text.indexOf('later') && text.includes('missed') && !text.includes('seen'),
    );
  });

  describe('after a gap', () => {
    const gap = /id: (\d+)\ntime: \S+\nevent: events\.missed\ndata: (.*)\n/;
    const lastIdIn = (text: string) => Number([...text.matchAll(/^id: (\d+)$/gm)].at(-1)![1]);
    /** Follows until an event, and returns its id. */
    async function readId(t: TestContext, url: string, events: EventBus): Promise<number> {
      const stream = await follow(t, url);
      tell(events, 'a', 'seen');
      const text = await stream.reads('seen"');
      stream.abort.abort();
      return lastIdIn(text);
    }

    it('says how many events were missed, to a client that filters too', async (t) => {
      const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t));
      const id = await readId(t, baseUrl + path, collector.events);
      for (let i = 1; i <= 2_003; i++) tell(collector.events, 'a', `missed ${i}.`);
      const headers = { 'last-event-id': String(id) };
      const text = await (await follow(t, baseUrl + path, headers)).reads('missed 2003.');
      const [, gapId, data] = gap.exec(text)!;
      const { count, until, time } = JSON.parse(data!);
      assert.deepEqual([count, Number(gapId)], [3, id + 3]);
      assert.ok(!text.includes('missed 3.') && text.indexOf('events.missed') < text.indexOf('missed 4.'));
      assert.ok(until <= time);
      const filtered = await follow(t, `${baseUrl}${path}?name=device.added&device=b`, headers);
      assert.match(await filtered.reads('events.missed'), gap);
      const again = await follow(t, baseUrl + path, { 'last-event-id': gapId! });
      assert.doesNotMatch(await again.reads('missed 2003.'), gap);
    });

    it('says that events of another run may be missing, and sends all that is kept', async (t) => {
      const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t));
      const id = await readId(t, baseUrl + path, collector.events);
      for (const other of [1, id + 1_000_000_000]) {
        const stream = await follow(t, baseUrl + path, { 'last-event-id': String(other) });
        const text = await stream.reads('"why":"seen"');
        const { count, until } = JSON.parse(gap.exec(text)![2]!);
        assert.deepEqual([count, Number.isNaN(Date.parse(until))], [undefined, false]);
      }
    });

    it('passes on what another member says that it has lost, and that others were not read', () => {
      const journal = new EventJournal(10, () => 1_000);
      journal.addOf('two', {
        id: '7',
        name: 'events.missed',
        time: undefined,
        member: undefined,
        data: '{"count":3}',
      });
      journal.addGapOfOthers();
      const [passedOn, unread] = journal.after(1_000_000);
      assert.match(passedOn!.frame, /member: two\nevent: events\.missed\ndata: \{"count":3\}/);
      assert.match(unread!.frame, /event: events\.missed\ndata: .*"until":"1970-01-01T00:00:01.000Z"/);
      assert.deepEqual([passedOn!.isOwn, unread!.isOwn, unread!.isOfFleet], [false, false, true]);
      assert.deepEqual(journal.after(0), []);
    });

    it('says nothing to a client that has seen nothing, or all', async (t) => {
      const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t));
      const id = await readId(t, baseUrl + path, collector.events);
      for (let i = 1; i <= 2_000; i++) tell(collector.events, 'a', `later ${i}.`);
      for (const known of ['0', String(id)]) {
        const stream = await follow(t, baseUrl + path, { 'last-event-id': known });
        const text = await stream.reads('later 2000.');
        assert.ok(text.includes('later 1.') && !gap.test(text));
      }
    });
  });

  it('has the time in the data of each event', async (t) => {
    const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t));
    const stream = await follow(t, baseUrl + path);
    tell(collector.events, 'a', 'first');
    const [, time, data] = /^time: (\S+)\n(?:[^\n]+\n)*?data: (.*first.*)$/m.exec(
      await stream.reads('first"}'),
    )!;
    assert.equal(JSON.parse(data!).time, time);
  });

  it('rejects unknown names and malformed ids', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t));
    assert.equal((await call('GET', `${path}?name=device.exploded`)).status, 400);
    assert.equal((await call('GET', `${path}?all=true`)).status, 400);
    assert.equal((await call('GET', path, { headers: { 'last-event-id': 'x' } })).status, 400);
  });

  it('answers HEAD immediately, without events', { timeout: 10_000 }, async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t));
    const { status, type, text } = await call('HEAD', path);
    assert.deepEqual([status, type, text], [200, 'text/event-stream', '']);
  });

  it('disconnects a client that does not read, and serves the others', async (t) => {
    const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t));
    const { hostname, port } = new URL(baseUrl);
    const slow = connect(Number(port), hostname);
    t.after(() => slow.destroy());
    await once(slow, 'connect');
    slow.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await once(slow, 'readable');
    const quick = await follow(t, baseUrl + path);
    const isCut = () =>
      collector.logLines.some(
        ({ message }) => message === 'An event client did not read its events. It was disconnected.',
      );
    for (let i = 0; i < 60 && !isCut(); i++) {
      tell(collector.events, 'a', `${i} ${'x'.repeat(500_000)} end${i}.`);
      await quick.reads(`end${i}.`);
      if (i % 10 === 0) await sleep(1);
    }
    assert.ok(isCut());
  });
});

/** Not in parallel with other tests, because it mocks timers. */
describe('an event stream', () => {
  it('ends at the next heartbeat after its token was removed', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let isAllowed = true;
    const server = createServer((_request, response) => {
      new EventStream(
        response,
        () => {},
        () => isAllowed,
      );
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stream = await follow(t, `http://127.0.0.1:${port}/`);
    t.mock.timers.tick(15_000);
    await stream.reads(':\n\n');
    isAllowed = false;
    t.mock.timers.tick(15_000);
    await stream.ends();
  });
});

describe('a stop', () => {
  it('ends every event stream without cutting connections, and sends collector.stopping first', async (t) => {
    const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t));
    const stream = await follow(t, baseUrl + path);
    const cut = t.mock.method(Server.prototype, 'closeAllConnections');
    const [text] = await Promise.all([stream.ends(), collector.stop()]);
    assert.match(text, /event: collector\.stopping\n/);
    assert.equal(cut.mock.callCount(), 0);
  });
});
