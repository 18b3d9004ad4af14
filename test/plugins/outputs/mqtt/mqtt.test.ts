import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connectAsync } from 'mqtt';
import mqtt from '../../../../plugins/outputs/mqtt/index.ts';
import { createMqttOutput } from '../../../../plugins/outputs/mqtt/mqtt-output.ts';
import { checkPlugin, createTestBatch } from '../../../../src/testing/index.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { missingTool } from '../../../support/needs.ts';
import { runTool } from '../../../support/run-tool.ts';
import { type Certificates, makeCertificates } from '../support/certificates.ts';
import { assertConnectEnds } from '../support/connections/silent-server.ts';
import { startStallingProxy } from '../support/connections/stalling-proxy.ts';
import { checkTls } from '../support/connections/tls-checks.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { missingPackage } from '../support/missing-package.ts';
import { type RealServer, startRealServer } from '../support/real-server.ts';
import { assertStopsCleanly, runOutput, startFailure } from '../support/running-output.ts';

const login = { username: 'collector', password: '${env:PASSWORD}' };
const env = { PASSWORD: 'correct-horse' };
const quickStall = { stall_after_ms: 0 };

describe('the mqtt plugin', { skip: missingTool('mosquitto') || missingTool('openssl') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-mqtt-'));
  let broker: RealServer;
  let certificates: Certificates;
  let url: string;
  let secureUrl: string;

  before(async () => {
    certificates = makeCertificates(folder);
    const [port, securePort] = [await findFreePort(), await findFreePort()];
    const passwords = join(folder, 'passwords');
    await runTool('mosquitto_passwd', ['-c', '-b', passwords, 'collector', 'correct-horse']);
    writeFileSync(join(folder, 'topics'), 'user collector\ntopic readwrite allowed/#\n');
    writeFileSync(
      join(folder, 'mosquitto.conf'),
      `user root
allow_anonymous false
password_file ${passwords}
acl_file ${join(folder, 'topics')}
max_packet_size 300000
max_queued_messages 0
listener ${port} 127.0.0.1
listener ${securePort} 127.0.0.1
cafile ${certificates.ca}
certfile ${certificates.server.cert}
keyfile ${certificates.server.key}
require_certificate true\n`,
    );
    broker = await startRealServer('mosquitto', ['-c', join(folder, 'mosquitto.conf')], port);
    url = `mqtt://127.0.0.1:${port}`;
    secureUrl = `mqtts://127.0.0.1:${securePort}`;
  });

  after(async () => {
    await broker?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** The next messages of a topic, or the retained ones, as [topic, text]. */
  async function receive(filter: string, count: number, act: () => Promise<unknown> = async () => {}) {
    const client = await connectAsync(url, {
      username: 'collector',
      password: 'correct-horse',
      reconnectPeriod: 0,
    });
    const received: [string, string][] = [];
    const all = new Promise<void>((resolve) => {
      client.on('message', (topic, payload) => {
        received.push([topic, payload.toString()]);
        if (received.length === count) resolve();
      });
    });
    await client.subscribeAsync(filter, { qos: 2 });
    await act();
    await all;
    await client.endAsync(true);
    return received;
  }

  it('keeps the contract', async () => {
    await checkPlugin(mqtt, { options: { url: 'mqtt://127.0.0.1:9' } });
  });

  for (const version of ['5', '3.1.1']) {
    for (const qos of [0, 1, 2]) {
      it(`publishes one message per row, in order, with MQTT ${version} with qos ${qos}`, async () => {
        const options = { url, ...login, version, qos, topic: 'allowed/{device}/{key}' };
        await using output = await runOutput(mqtt, options, { env });
        const device = { name: '#/+/$x y', ip: '192.0.2.1', port: 161 };
        const rows = Array.from({ length: 120 }, (_, i) => ({ values: { c: 2n ** 64n - 1n - BigInt(i) } }));
        const received = await receive('allowed/+/+', 120, () =>
          output.deliver(createTestBatch({ device, rows })),
        );
        assert.deepEqual(
          received.map(([topic]) => topic),
          rows.map((_, i) => `allowed/%23%2F%2B%2F%24x%20y/${i + 1}`),
        );
        assert.match(received[0]![1], /"values":\{"c":18446744073709551615\}/);
        assert.equal(output.counters.delivered, 1);
      });
    }
  }

  it('transfers every hostile string intact', async () => {
    const options = { url, ...login, topic: 'allowed/hostile', message: 'batch' };
    await using output = await runOutput(mqtt, options, { env });
    const batch = createTestBatch({ rows: [{ values: hostileStrings }] });
    const [[, text]] = (await receive('allowed/hostile', 1, () => output.deliver(batch))) as [
      [string, string],
    ];
    // Half a character has no UTF-8; JSON keeps it as an escape.
    assert.deepEqual({ ...JSON.parse(text).values }, { ...hostileStrings });
  });

  it('lets the broker retain the last message of each topic', async () => {
    const options = { url, ...login, retain: true, topic: 'allowed/kept/{key}' };
    await using output = await runOutput(mqtt, options, { env });
    const rows = [{ values: { v: 1 } }, { values: { v: 2 } }];
    await output.deliver(createTestBatch({ rows }), createTestBatch({ rows, sequence: 2 }));
    const kept = await receive('allowed/kept/+', 2);
    assert.deepEqual(
      kept.map(([topic, text]) => [topic, JSON.parse(text).sequence]),
      [
        ['allowed/kept/1', 2],
        ['allowed/kept/2', 2],
      ],
    );
  });

  it('loses nothing when the broker is killed', async () => {
    const options = { url, ...login, retain: true, topic: 'allowed/killed/{device}' };
    await using output = await runOutput(mqtt, options, { env, delivery: { group_batches: 3 } });
    const batches = Array.from({ length: 20 }, (_, i) =>
      createTestBatch({ device: { name: `d${i}`, ip: '192.0.2.1', port: 161 } }),
    );
    await output.deliver(createTestBatch());
    await broker.kill();
    output.push(...batches);
    await output.until(() => output.counters.retries > 0);
    await broker.start();
    await output.deliver();
    const kept = await receive('allowed/killed/+', 20);
    assert.equal(new Set(kept.map(([topic]) => topic)).size, 20);
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [21, 0]);
  });

  it('drops only messages that are too large or not permitted', async () => {
    await using output = await runOutput(
      mqtt,
      { url, ...login, topic: '{tag:place}/x' },
      { env, delivery: quickStall },
    );
    let sequence = 0;
    const batch = (place: string, letters = 1) =>
      createTestBatch({
        sequence: sequence++,
        tags: { place },
        rows: [{ values: { text: 'x'.repeat(letters) } }],
      });
    await output.deliver(batch('allowed'), batch('forbidden'), batch('allowed', 400_000), batch('allowed'));
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [2, 2]);
    assert.match(output.logText, /refused messages/);
  });

  it('stops although the server no longer answers', async () => {
    await using proxy = await startStallingProxy(broker.port);
    const output = await runOutput(
      mqtt,
      { url: `mqtt://127.0.0.1:${proxy.port}`, ...login, topic: 'allowed/x' },
      { env },
    );
    await output.deliver(createTestBatch());
    proxy.stall();
    await assertStopsCleanly(output);
  });

  it('stops although the server hangs during a write', async () => {
    await using proxy = await startStallingProxy(broker.port);
    const output = await runOutput(
      mqtt,
      { url: `mqtt://127.0.0.1:${proxy.port}`, ...login, topic: 'allowed/x' },
      { env },
    );
    await output.deliver(createTestBatch());
    proxy.stall();
    output.push(createTestBatch({ sequence: 2, slotMs: 2 }));
    await assertStopsCleanly(output);
    assert.equal(output.logText.includes('did not stop'), false);
  });

  it('reports a refused password without the secret, and waits', async () => {
    for (const version of ['5', '3.1.1']) {
      const wrong = { env: { PASSWORD: 'wrong-horse' }, delivery: quickStall };
      await using output = await runOutput(mqtt, { url, ...login, version }, wrong);
      output.push(createTestBatch());
      await output.until(() => output.stalls.length > 0);
      assert.match(output.stalls[0]!, /refused the login/);
      assert.doesNotMatch(output.logText, /wrong-horse/);
    }
  });

  it('uses its own authority and client certificate, and reads changed files', async () => {
    const options = { url: secureUrl, ...login, topic: 'allowed/secure' };
    const received = await receive('allowed/secure', 1, () =>
      checkTls({ plugin: mqtt, options, env, certificates }),
    );
    assert.equal(received.length, 1);
  });

  it('stops a connection attempt to a silent broker', async () => {
    for (const scheme of ['mqtt', 'mqtts']) {
      await assertConnectEnds(mqtt, (port) => ({ url: `${scheme}://127.0.0.1:${port}` }));
    }
  });
});

describe('the mqtt plugin without its package', () => {
  it('names the package to install', async () => {
    const without = createMqttOutput(missingPackage('mqtt'));
    assert.match(await startFailure(without, { url: 'mqtt://127.0.0.1:9' }), /npm install mqtt@5/);
  });
});
