import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import nats from '../../../../plugins/outputs/nats/index.ts';
import { createNatsOutput } from '../../../../plugins/outputs/nats/nats-output.ts';
import { checkPlugin, createTestBatch } from '../../../../src/testing/index.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { missingTool } from '../../../support/needs.ts';
import { type Certificates, makeCertificates } from '../support/certificates.ts';
import { assertConnectEnds } from '../support/connections/silent-server.ts';
import { startStallingProxy } from '../support/connections/stalling-proxy.ts';
import { checkTls } from '../support/connections/tls-checks.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { missingPackage } from '../support/missing-package.ts';
import { type RealServer, startRealServer } from '../support/real-server.ts';
import { assertStopsCleanly, runOutput, startFailure } from '../support/running-output.ts';

const user = { username: 'collector', password: '${env:PASSWORD}' };
const env = { PASSWORD: 'correct-horse' };

describe('the nats plugin', { skip: missingTool('nats-server') || missingTool('openssl') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-nats-'));
  let server: RealServer;
  let reader: NatsConnection;
  let certificates: Certificates;
  let servers: string[];

  before(async () => {
    certificates = makeCertificates(folder);
    const port = await findFreePort();
    const { cert, key } = certificates.server;
    writeFileSync(
      join(folder, 'nats.conf'),
      `listen: "127.0.0.1:${port}"
jetstream { store_dir: "${folder}/store" }
allow_non_tls: true
tls { cert_file: "${cert}", key_file: "${key}", ca_file: "${certificates.ca}", verify: true }
authorization { users: [
  { user: collector, password: correct-horse }
  { user: limited, password: correct-horse, permissions: { publish: ["allowed.>", "$JS.>"], subscribe: ">" } }
] }\n`,
    );
    server = await startRealServer('nats-server', ['-c', join(folder, 'nats.conf')], port);
    servers = [`nats://127.0.0.1:${port}`];
    reader = await openReader();
  });

  const openReader = () =>
    connect({ servers: `127.0.0.1:${server.port}`, user: 'collector', pass: 'correct-horse', tls: null });

  after(async () => {
    await reader?.close();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** The messages below a subject while `act` runs, as [subject, text]. */
  async function receive(subject: string, count: number, act: () => Promise<unknown>) {
    const messages: [string, string][] = [];
    const subscription = reader.subscribe(subject, { max: count });
    await reader.flush();
    await act();
    for await (const message of subscription) messages.push([message.subject, message.string()]);
    return messages;
  }

  const addStream = async (name: string, settings = {}) => {
    const manager = await jetstreamManager(reader);
    await manager.streams.add({ name, subjects: [`${name}.>`], ...settings });
    return async () => (await manager.streams.info(name)).state.messages;
  };

  it('keeps the contract', async () => {
    await checkPlugin(nats, { options: { servers: ['nats://127.0.0.1:9'] } });
  });

  it('publishes one message per row, in order, on subjects that no name can escape', async () => {
    await using output = await runOutput(nats, { servers, ...user, subject: 'core.{device}.{key}' }, { env });
    const device = { name: 'a.>*b c', ip: '192.0.2.1', port: 161 };
    const rows = [{ values: { c: 2n ** 64n - 1n } }, { values: { c: 1n } }];
    const received = await receive('core.>', 2, () => output.deliver(createTestBatch({ device, rows })));
    assert.deepEqual(
      received.map(([subject]) => subject),
      ['core.a%2E%3E%2Ab%20c.1', 'core.a%2E%3E%2Ab%20c.2'],
    );
    assert.match(received[0]![1], /"values":\{"c":18446744073709551615\}/);
    assert.equal(output.counters.delivered, 1);
  });

  it('uses another server of the cluster when one is down', async () => {
    const options = { ...user, servers: ['nats://127.0.0.1:9', ...servers], subject: 'cluster' };
    await using output = await runOutput(nats, options, { env });
    const received = await receive('cluster', 1, () => output.deliver(createTestBatch()));
    assert.equal(received.length, 1);
    assert.equal(output.counters.retries, 0);
  });

  it('transfers every hostile string intact', async () => {
    const values = Object.fromEntries(Object.entries(hostileStrings).map(([what, text]) => [what, text]));
    await using output = await runOutput(
      nats,
      { servers, ...user, subject: 'hostile', message: 'batch' },
      { env },
    );
    const [[, text]] = (await receive('hostile', 1, () =>
      output.deliver(createTestBatch({ rows: [{ values }] })),
    )) as [[string, string]];
    assert.deepEqual(JSON.parse(text).values, values);
  });

  it('waits for the stream, which drops repeated messages', async () => {
    const count = await addStream('twice');
    const options = { servers, ...user, jetstream: true, subject: 'twice.{key}' };
    await using output = await runOutput(nats, options, { env });
    const rows = Array.from({ length: 700 }, (_, i) => ({ values: { i } }));
    const batch = createTestBatch({ rows });
    await output.deliver(batch, batch, createTestBatch({ rows, sequence: 2 }));
    assert.equal(await count(), 1400);
    assert.equal(output.counters.delivered, 3);
  });

  it('reports that no stream has its subject, and continues when there is one', async () => {
    const options = { servers, ...user, jetstream: true, subject: 'later.{device}' };
    await using output = await runOutput(nats, options, { env, delivery: { stall_after_ms: 0 } });
    output.push(createTestBatch());
    await output.until(() => output.stalls.length > 0);
    assert.match(output.stalls[0]!, /has no stream for later\.router-1\. Create it/);
    const count = await addStream('later');
    await output.deliver();
    assert.equal(await count(), 1);
  });

  it('loses and repeats nothing when the server is killed', async () => {
    const count = await addStream('killed');
    const options = { servers, ...user, jetstream: true, subject: 'killed.{key}' };
    await using output = await runOutput(nats, options, { env, delivery: { group_batches: 1 } });
    const batches = Array.from({ length: 40 }, (_, sequence) => createTestBatch({ sequence }));
    await output.deliver(batches[0]!);
    output.push(...batches.slice(1, 20));
    await reader.close();
    await server.kill();
    output.push(...batches.slice(20));
    await sleep(50);
    await server.start();
    reader = await openReader();
    await output.deliver();
    const manager = await jetstreamManager(reader);
    assert.equal((await manager.streams.info('killed')).state.messages, 40);
    assert.ok(count !== undefined);
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [40, 0]);
  });

  it('drops only messages that are too large or not permitted', async () => {
    for (const jetstream of [false, true]) {
      if (jetstream) await addStream('allowed', { max_msg_size: 100_000 });
      const options = { servers, ...user, username: 'limited', subject: '{tag:place}.{device}', jetstream };
      await using output = await runOutput(nats, options, { env, delivery: { stall_after_ms: 100 } });
      const batch = (place: string, letters = 1) =>
        createTestBatch({ tags: { place }, rows: [{ values: { text: 'x'.repeat(letters) } }] });
      await output.deliver(batch('allowed'), batch('forbidden'), batch('allowed', 2 ** 21), batch('allowed'));
      assert.deepEqual([output.counters.delivered, output.counters.dropped], [2, 2], output.logText);
      assert.doesNotMatch(output.logText, /correct-horse/);
    }
  });

  it('stops although the server no longer answers', async () => {
    await using proxy = await startStallingProxy(server.port);
    const output = await runOutput(nats, { servers: [`nats://127.0.0.1:${proxy.port}`], ...user }, { env });
    await output.deliver(createTestBatch());
    proxy.stall();
    await assertStopsCleanly(output);
  });

  it('stops although the server hangs during a write', async () => {
    await using proxy = await startStallingProxy(server.port);
    const output = await runOutput(nats, { servers: [`nats://127.0.0.1:${proxy.port}`], ...user }, { env });
    await output.deliver(createTestBatch());
    proxy.stall();
    output.push(createTestBatch({ sequence: 2, slotMs: 2 }));
    await assertStopsCleanly(output);
    assert.equal(output.logText.includes('did not stop'), false);
  });

  it('reports a refused password, and waits', async () => {
    const wrong = { env: { PASSWORD: 'wrong-horse' }, delivery: { stall_after_ms: 0 } };
    await using output = await runOutput(nats, { servers, ...user }, wrong);
    output.push(createTestBatch());
    await output.until(() => output.stalls.length > 0);
    assert.match(output.stalls[0]!, /refused the login/);
    assert.equal(output.counters.queued, 1);
    assert.doesNotMatch(output.logText, /wrong-horse/);
  });

  it('uses its own authority and client certificate, and reads changed files', async () => {
    const options = { servers: [`tls://127.0.0.1:${server.port}`], ...user, subject: 'secure' };
    const received = await receive('secure', 1, () => checkTls({ plugin: nats, options, env, certificates }));
    assert.equal(received.length, 1);
  });

  it('stops a connection attempt to a silent server', async () => {
    await assertConnectEnds(nats, (port) => ({ servers: [`nats://127.0.0.1:${port}`] }));
  });
});

describe('the nats plugin without its package', () => {
  it('names the package to install', async () => {
    const without = createNatsOutput(missingPackage('@nats-io/transport-node'));
    const options = { servers: ['nats://127.0.0.1:9'] };
    assert.match(await startFailure(without, options), /npm install @nats-io\/transport-node@3/);
  });
});
