import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import httpRoutes from '../../../../plugins/http-routes/index.ts';
import { answerScrape } from '../../../../plugins/outputs/prometheus/http/scrape.ts';
import { writeChunks } from '../../../../plugins/outputs/prometheus/http/send-scrape.ts';
import prometheus from '../../../../plugins/outputs/prometheus/index.ts';
import { LatestValues } from '../../../../plugins/outputs/prometheus/latest/latest-values.ts';
import { type Batch, pipelineToken } from '../../../../src/index.ts';
import { FamilyTable } from '../../../../src/output-kit/naming/family-table.ts';
import { checkPlugin, createTestBatch, startTestCollector } from '../../../../src/testing/index.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { parseExposition } from './exposition-parser.ts';

async function startServing(batches: readonly Batch[], options: Readonly<Record<string, unknown>> = {}) {
  const port = await findFreePort();
  const collector = await startTestCollector({
    plugins: [
      { plugin: httpRoutes },
      { plugin: prometheus, options: { port, delivery: { group_wait_ms: 0 }, ...options } },
    ],
    env: { TOKEN: 'correct-horse' },
  });
  const pipeline = collector.getService(pipelineToken);
  const push = async (more: readonly Batch[]) => {
    for (const batch of more) pipeline.push(batch);
    while (pipeline.counters.outputs['prometheus']!.queued > 0) await sleep(1);
  };
  await push(batches);
  /** Headers are sent as given, including Host. */
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end();
    const [response] = await once(sent, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  };
  return { ask, push, port, collector, [Symbol.asyncDispose]: () => collector.stop() };
}

const classicOf = async ({ ask }: Awaited<ReturnType<typeof startServing>>, path = '/metrics') =>
  parseExposition((await ask(path)).body.toString(), false);

const nowBatch = (parts: Parameters<typeof createTestBatch>[0] = {}) =>
  createTestBatch({ slotMs: Date.now(), timeMs: Date.now(), ...parts });

describe('the prometheus plugin', () => {
  it('keeps the contract', async () => {
    const needs = { routes: { add() {}, take: () => [] } };
    await checkPlugin(prometheus, { options: { port: 0 }, needs });
    await checkPlugin(prometheus, { needs });
  });

  it('answers in the requested format', async () => {
    await using server = await startServing([nowBatch({ rows: [{ values: { c: 1n } }] })]);
    const typeFor = async (accept: string) =>
      (await server.ask('/metrics', { accept })).headers['content-type'];
    const debian =
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
    assert.match(await typeFor(debian), /^application\/openmetrics-text; version=1\.0\.0/);
    for (const accept of [
      '*/*',
      'text/plain',
      'text/plain, application/openmetrics-text;q=0.1',
      'garbage;;q=x,',
    ]) {
      assert.match(await typeFor(accept), /^text\/plain; version=0\.0\.4/, accept);
    }
  });

  it('compresses if the client accepts it', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => ({ labels: { i: String(i) }, values: { v: i } }));
    await using server = await startServing([nowBatch({ rows })]);
    const plain = await server.ask('/metrics');
    const packed = await server.ask('/metrics', { 'accept-encoding': 'deflate, gzip;q=0.5' });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(packed.body), plain.body);
    assert.ok(packed.body.length < plain.body.length / 5);
    const refused = await server.ask('/metrics', { 'accept-encoding': 'gzip;q=0' });
    assert.equal(refused.headers['content-encoding'], undefined);
  });

  it('limits a scrape to devices and objects', async () => {
    const device = { name: 'router-2', ip: '2001:db8::2', port: 161 };
    await using server = await startServing([
      nowBatch(),
      nowBatch({ device }),
      nowBatch({ device, record: 'OTHER-MIB::entry' }),
    ]);
    const count = async (query: string) =>
      (await classicOf(server, `/metrics${query}`)).get('snmp_value')?.samples.length ?? 0;
    assert.equal(await count(''), 3);
    assert.equal(await count('?device=router-2'), 2);
    assert.equal(await count('?device=router-1&device=2001:db8::2'), 3);
    assert.equal(await count('?object=OTHER-MIB::entry'), 1);
    assert.equal(await count('?device=router-1&object=OTHER-MIB::entry'), 0);
  });

  it('refuses unknown paths, methods and parameters', async () => {
    await using server = await startServing([nowBatch()]);
    const statusOf = async (path: string, method = 'GET', headers = {}) =>
      (await server.ask(path, headers, method)).status;
    assert.equal(await statusOf('/'), 404);
    assert.equal(await statusOf('//evil/metrics'), 404);
    assert.equal(await statusOf('/metrics?devices=a'), 400);
    assert.equal(await statusOf('/metrics', 'POST'), 405);
    assert.equal(await statusOf('/metrics', 'GET', { host: 'evil.example' }), 421);
    assert.equal(await statusOf('/metrics', 'GET', { host: 'localhost:1' }), 200);
    const head = await server.ask('/metrics', { 'accept-encoding': 'gzip' }, 'HEAD');
    assert.deepEqual([head.status, head.body.length], [200, 0]);
  });

  it('requires its token, and does not start on other addresses without one', async () => {
    await using server = await startServing([nowBatch()], { token: '${env:TOKEN}' });
    const statusWith = async (authorization?: string) =>
      (await server.ask('/metrics', authorization === undefined ? {} : { authorization })).status;
    assert.equal(await statusWith(), 401);
    assert.equal(await statusWith('Bearer correct-hors'), 401);
    assert.equal(await statusWith('Basic correct-horse'), 401);
    assert.equal(await statusWith('Bearer correct-horse'), 200);
    for (const host of ['0.0.0.0', '::', '127.example', 'localhost.example']) {
      const open = { plugin: prometheus, options: { port: 0, host } };
      const start = startTestCollector({ plugins: [{ plugin: httpRoutes }, open] });
      await assert.rejects(start, (error: Error) => {
        assert.equal((error.cause as { code?: string }).code, 'PROMETHEUS_OPEN', host);
        return true;
      });
    }
  });

  it('does not start with a token but no port', async () => {
    for (const options of [{ token: '${env:TOKEN}' }, { insecure: true }, { allowed_hosts: ['lab'] }]) {
      const plugins = [{ plugin: httpRoutes }, { plugin: prometheus, options }];
      await assert.rejects(startTestCollector({ plugins, env: { TOKEN: 'x' } }), (error: Error) => {
        const { code, message } = error.cause as Error & { readonly code: string };
        assert.equal(code, 'PROMETHEUS_NO_PORT');
        assert.match(message, new RegExp(Object.keys(options)[0]!));
        return true;
      });
    }
  });

  it('names the port in use and what to do', async () => {
    await using server = await startServing([]);
    const second = { plugin: prometheus, options: { port: server.port } };
    await assert.rejects(
      startTestCollector({ plugins: [{ plugin: httpRoutes }, second] }),
      (error: Error) => {
        const { code, message } = error.cause as Error & { readonly code: string };
        assert.equal(code, 'HTTP_ADDRESS_UNUSABLE');
        assert.match(
          message,
          new RegExp(`^prometheus cannot listen on 127.0.0.1 port ${server.port}: another program`),
        );
        return true;
      },
    );
  });

  it('ends the series of a device that goes down or is removed', async () => {
    const device = { name: 'router-2', ip: '192.0.2.2', port: 161 };
    await using server = await startServing([nowBatch(), nowBatch({ device })]);
    const devices = async () =>
      (await classicOf(server)).get('snmp_value')?.samples.map(({ labels }) => labels['device']) ?? [];
    const { events } = server.collector;
    events.emit('device.state', { device, from: 'up', to: 'suspect', why: 'a test' });
    assert.deepEqual(await devices(), ['router-1', 'router-2']);
    events.emit('device.state', { device, from: 'suspect', to: 'down', why: 'a test' });
    assert.deepEqual(await devices(), ['router-1']);
    events.emit('device.removed', { device: nowBatch().device, cause: 'a test' });
    assert.deepEqual(await devices(), []);
    await sleep(2);
    await server.push([nowBatch({ device })]);
    assert.deepEqual(await devices(), ['router-2']);
  });

  it('lets other work run while a fast client reads', async () => {
    const latest = new LatestValues({
      families: new FamilyTable(''),
      stateSets: new Set(),
      staleIntervals: 3,
      timestamps: true,
    });
    const rows = Array.from({ length: 80_000 }, (_, i) => ({ labels: { i: String(i) }, values: { v: i } }));
    latest.take(nowBatch({ rows }));
    const everything = { devices: [], objects: [], accept: undefined, acceptEncoding: undefined };
    const answer = answerScrape(latest, everything, { timestamps: false, created: false }, Date.now());
    let turns = 0;
    let isRead = false;
    const countTurn = () => {
      turns++;
      if (!isRead) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    let chunks = 0;
    const reader = new Writable({
      write(_chunk, _encoding, done) {
        chunks++;
        done();
      },
    });
    await writeChunks(answer.chunks, reader);
    isRead = true;
    assert.ok(chunks > 20 && turns >= chunks - 1, `${turns} turns in ${chunks} chunks`);
  });

  it('sends a slow client the same text as a fast one', async () => {
    // More than the system's own buffers take.
    const long = 'l'.repeat(500);
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ labels: { i: long + i }, values: { v: i } }));
    await using server = await startServing([nowBatch({ rows })]);
    const fast = await server.ask('/metrics');
    const [response] = await once(
      request({ host: '127.0.0.1', port: server.port, path: '/metrics', agent: false }).end(),
      'response',
    );
    const slow: Buffer[] = [];
    for await (const chunk of response) {
      slow.push(chunk);
      await sleep(1);
    }
    assert.ok(fast.body.equals(Buffer.concat(slow)));
  });

  it('is not blocked by a client that reads nothing, nor is its stop', async () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => ({ labels: { i: String(i) }, values: { v: i } }));
    await using server = await startServing([nowBatch({ rows })]);
    const idlers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = connect(server.port, '127.0.0.1')
          .pause()
          .on('error', () => {});
        await once(socket, 'connect');
        socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
        return socket;
      }),
    );
    while ((await server.ask('/metrics')).status !== 503) await sleep(5);
    idlers[0]!.destroy();
    while ((await server.ask('/metrics')).status !== 200) await sleep(5);
    for (const socket of idlers) socket.destroy();
  });
});
