import assert from 'node:assert/strict';
import { env } from 'node:process';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Definitions, definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import type { DeviceRegistry } from '../../../plugins/device-registry/service.ts';
import snmpExporter from '../../../plugins/snmp-exporter/index.ts';
import { ScrapeTargets } from '../../../plugins/snmp-exporter/scrape-targets.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import { shardOf } from '../../../src/sharding/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { parseExposition } from '../outputs/prometheus/exposition-parser.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';

env['EXPORTER_TEST_COMMUNITY'] = 'public';

/** After it, no poll of the networks here is shared any more. */
const intervalMs = 1_000;

const recording = fileURLToPath(new URL('../../recordings/switch.snmprec', import.meta.url));

/** The addresses that scrapes may reach, at the port of the agent. */
const networks = `public_v2:
  credentials: [{ version: 2c, community: "\${env:EXPORTER_TEST_COMMUNITY}" }]
  networks: [127.0.0.1/32, 127.0.0.3/32]
  port: <port>
  poll_interval: 1
  timeout: 300
  retries: 0
`;

const named = {
  ...smallDefinitions,
  'objects/interfaces.yml': smallDefinitions['objects/interfaces.yml']!.replace(
    'name: netif, syntax',
    'column: ifIndex, name: netif, syntax',
  ),
};

async function startExporter(test: TestContext, options: object = {}, auths = networks) {
  const agent = await startReplayAgent({ recording, users: [{ name: 'reader' }] });
  test.after(() => agent.close());
  const atPort = (text: string) => text.replaceAll('<port>', String(agent.port));
  const folder = new DefinitionFolder(test, { ...named, 'autodiscover/networks.yml': atPort(auths) });
  const api = await startApi(test, folder, {
    more: [
      { plugin: poller, options: { health_every_s: 0 } },
      { plugin: snmpExporter, options },
    ],
  });
  return {
    ...api,
    agent,
    folder,
    writeNetworks: (text: string) => folder.write('autodiscover/networks.yml', atPort(text)),
    apply: () => api.collector.getService(definitionsToken).apply({ requestedBy: 'test' }),
    scrape: (query: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
      api.call('GET', `/snmp?${new URLSearchParams(query)}`, { headers }),
  };
}

describe('GET /snmp', () => {
  it('polls a target that is no device yet, and serves the names of the MIB', async (test) => {
    const { scrape, agent } = await startExporter(test);
    const { status, type, text } = await scrape({ target: `127.0.0.1:${agent.port}`, module: 'switch' });
    assert.deepEqual([status, type], [200, 'text/plain; version=0.0.4; charset=utf-8'], text);
    const families = parseExposition(text, false);
    assert.ok(families.get('ifHCInOctets')!.samples.length > 20);
    for (const { labels } of families.get('ifHCInOctets')!.samples) {
      assert.deepEqual(Object.keys(labels).sort(), ['ifDescr', 'ifIndex', 'ifName']);
    }
    assert.equal(families.get('sysUpTime')!.samples.length, 1);
    assert.deepEqual(families.get('snmp_scrape_duration_seconds')!.samples[0]!.labels, { module: 'switch' });
    const fact = (name: string) => Number(families.get(`snmp_scrape_${name}`)!.samples[0]!.value);
    assert.ok(fact('walk_duration_seconds') <= fact('duration_seconds'));
    assert.ok(fact('packets_sent') >= 1 && fact('packets_retried') <= fact('packets_sent'));
    assert.ok(fact('pdus_returned') >= families.get('ifHCInOctets')!.samples.length);
  });

  it('serves only the asked modules, and discovers a target again for a new one', async (test) => {
    const { scrape, agent, call } = await startExporter(test);
    const target = `127.0.0.1:${agent.port}`;
    const first = parseExposition((await scrape({ target, module: 'plain' })).text, false);
    assert.ok(first.has('sysUpTime') && !first.has('ifHCInOctets'));
    const both = parseExposition((await scrape({ target, module: 'plain,switch' })).text, false);
    assert.ok(both.has('sysUpTime') && both.has('ifHCInOctets'));
    const again = parseExposition((await scrape({ target: `udp://${target}`, module: 'plain' })).text, false);
    assert.ok(again.has('sysUpTime') && !again.has('ifHCInOctets'));
    await sleep(intervalMs);
    const before = agent.counters.requests;
    await scrape({ target, module: 'plain' });
    // The interfaces of the other module are not read: the request for the uptime is the only one.
    assert.equal(agent.counters.requests - before, 1);
    const { body } = await call('GET', '/api/v1/snmp/devices');
    assert.equal(body.devices.length, 1);
  });

  it('reaches nothing outside the networks of the auth', async (test) => {
    const { scrape, agent, call } = await startExporter(test);
    const codes: Record<string, unknown> = {};
    for (const target of [
      '127.0.0.2',
      '169.254.169.254',
      '[::1]:161',
      'localhost',
      '127.1',
      '0x7f000001',
      '2130706433',
      '[::ffff:127.0.0.2]:161',
      '127.0.0.1:0',
      '127.0.0.1:65536',
      '127.0.0.1@127.0.0.2',
      'udp://example.net',
      'http://127.0.0.1/',
    ]) {
      const { status, body } = await scrape({ target, module: 'switch' });
      codes[target] = [status, body.code];
    }
    const refused = [403, 'PROBE_TARGET_REFUSED'];
    const invalid = [400, 'PROBE_TARGET_INVALID'];
    assert.deepEqual(codes, {
      '127.0.0.2': refused,
      '169.254.169.254': refused,
      '[::1]:161': refused,
      localhost: invalid,
      '127.1': invalid,
      '0x7f000001': invalid,
      2130706433: invalid,
      '[::ffff:127.0.0.2]:161': refused,
      '127.0.0.1:0': invalid,
      '127.0.0.1:65536': invalid,
      '127.0.0.1@127.0.0.2': invalid,
      'udp://example.net': invalid,
      'http://127.0.0.1/': invalid,
    });
    assert.equal(agent.counters.requests, 0);
    assert.deepEqual((await call('GET', '/api/v1/snmp/devices')).body.devices, []);
  });

  it('takes the credentials of the first version of an auth, with or without quotes', async (test) => {
    const user = 'v3_credential: { username: reader }';
    for (const version of ['3', '"3"']) {
      const credentials = `[{ version: ${version}, ${user} }, { version: 2c, community: wrong }]`;
      const auths = `secured: { credentials: ${credentials}, networks: [127.0.0.1/32], port: <port>, timeout: 300, retries: 0 }\n`;
      const { scrape, agent } = await startExporter(test, {}, auths);
      const { status, text } = await scrape({
        target: `127.0.0.1:${agent.port}`,
        module: 'plain',
        auth: 'secured',
      });
      assert.equal(status, 200, text);
      assert.ok(parseExposition(text, false).has('sysUpTime'));
    }
  });

  it('refuses a target whose network was removed', async (test) => {
    const { scrape, agent, writeNetworks, apply } = await startExporter(test);
    const target = `127.0.0.1:${agent.port}`;
    assert.equal((await scrape({ target, module: 'plain' })).status, 200);
    writeNetworks(networks.replace('127.0.0.1/32', '127.0.0.2/32'));
    await apply();
    const { status, body } = await scrape({ target, module: 'plain' });
    assert.deepEqual([status, body.code], [403, 'PROBE_TARGET_REFUSED']);
  });

  it('forgets a target that nothing scrapes any more, also after a restart or a change of its owner', () => {
    const removed: string[] = [];
    const target = (name: string, ip: string, source = 'api', poll_interval = 604_800) => ({
      ref: { name, ip, port: 161 },
      source,
      settings: {
        poll_interval,
        ...(poll_interval === 604_800 ? { poll_intervals: { dynamic: 604_800 } } : {}),
      },
    });
    const weekly = { ...target('weekly', '127.0.0.5'), settings: { poll_interval: 604_800 } };
    const devices = [
      target('a', '127.0.0.1'),
      target('core', '127.0.0.2', 'files'),
      target('added', '127.0.0.3', 'api', 60),
      target('of another member', '127.0.0.4'),
      weekly,
    ];
    const foreign = shardOf(devices[3]!.ref);
    assert.notEqual(shardOf(devices[0]!.ref), foreign);
    const registry = {
      devices: () => devices,
      removeManaged: (ip: string) => removed.push(ip) > 0,
    } as unknown as DeviceRegistry;
    let nowMs = 0;
    let ownsForeign = false;
    const targets = new ScrapeTargets({
      definitions: {} as Definitions,
      registry,
      shards: { owns: (shard) => ownsForeign || shard !== foreign },
      maxTargets: 10,
      idleMs: 1_000,
      now: () => nowMs,
    });
    const forgetAt = (timeMs: number) => {
      nowMs = timeMs;
      targets.forgetIdle();
      return removed.splice(0);
    };
    assert.deepEqual(forgetAt(0), []);
    assert.deepEqual(forgetAt(999), []);
    assert.deepEqual(forgetAt(1_000), ['127.0.0.1']);
    devices.shift();
    ownsForeign = true;
    assert.deepEqual(forgetAt(5_000), []);
    assert.deepEqual(forgetAt(6_000), ['127.0.0.4']);
  });

  it('names an unknown module or auth, and the one that is meant', async (test) => {
    const { scrape, agent } = await startExporter(test);
    const target = `127.0.0.1:${agent.port}`;
    const module = await scrape({ target, module: 'swich' });
    assert.deepEqual([module.status, module.body.code], [400, 'PROBE_MODULE_UNKNOWN']);
    assert.match(module.body.detail, /switch/);
    const auth = await scrape({ target, module: 'switch', auth: 'public_v3' });
    assert.deepEqual([auth.status, auth.body.code], [400, 'PROBE_AUTH_UNKNOWN']);
    assert.match(auth.body.detail, /public_v2/);
    assert.equal((await scrape({ module: 'switch' })).status, 400, 'no target');
  });

  it('says that a target does not answer, and shows no community', async (test) => {
    const { scrape, agent } = await startExporter(test);
    const target = `127.0.0.1:${agent.port}`;
    await agent.close();
    const { status, body, text } = await scrape({ target, module: 'switch' });
    assert.deepEqual([status, body.code], [503, 'PROBE_NO_ANSWER']);
    assert.doesNotMatch(text, /public\b/);
  });

  it('fails for a device that has become silent, until it answers again', async (test) => {
    const { scrape, agent } = await startExporter(test);
    const query = { target: `127.0.0.1:${agent.port}`, module: 'plain' };
    assert.equal((await scrape(query)).status, 200);
    agent.set({ isSilent: true });
    for (let time = 0; time < 2; time++) {
      await sleep(intervalMs);
      const { status, body } = await scrape(query);
      assert.deepEqual([status, body.code], [503, 'PROBE_NO_ANSWER']);
    }
    agent.set({ isSilent: false });
    await sleep(intervalMs);
    assert.equal((await scrape(query)).status, 200);
  });

  it('uses the credentials of the auth that a scrape names, and those that an apply brings', async (test) => {
    const wrong = networks.replace('public_v2', 'wrong').replace('TEST_COMMUNITY', 'TEST_WRONG');
    env['EXPORTER_TEST_WRONG'] = 'another';
    const { scrape, agent, writeNetworks, apply, collector } = await startExporter(
      test,
      {},
      networks + wrong,
    );
    const statusOf = async (auth: string) => {
      const { status } = await scrape({ target: `127.0.0.1:${agent.port}`, module: 'plain', auth });
      return status;
    };
    const seen: [string, number][] = [];
    for (const auth of ['wrong', 'public_v2', 'wrong', 'public_v2']) seen.push([auth, await statusOf(auth)]);
    assert.deepEqual(seen, [
      ['wrong', 503],
      ['public_v2', 200],
      ['wrong', 503],
      ['public_v2', 200],
    ]);
    writeNetworks(networks.replace('TEST_COMMUNITY', 'TEST_WRONG') + wrong);
    await apply();
    assert.equal(await statusOf('public_v2'), 503);
    writeNetworks(networks + wrong);
    await apply();
    assert.equal(await statusOf('public_v2'), 200);
    let changes = 0;
    collector.events.on('device.changed', () => {
      changes++;
    });
    assert.equal(await statusOf('public_v2'), 200);
    assert.equal(changes, 0);
  });

  it('names an auth with a secret in plain text', async (test) => {
    const plain = networks.replace(/"\$\{.*\}"/, 'public');
    const { scrape, agent } = await startExporter(test, {}, plain);
    const { status, body } = await scrape({ target: `127.0.0.1:${agent.port}`, module: 'plain' });
    assert.deepEqual([status, body.code], [409, 'PROBE_AUTH_PLAIN']);
    assert.match(body.detail, /"public_v2" has a secret in plain text/);
  });

  it('ends in the time that Prometheus waits', async (test) => {
    const { scrape, agent, writeNetworks, apply } = await startExporter(test);
    writeNetworks(networks.replace('timeout: 300', 'timeout: 60000'));
    await apply();
    const target = `127.0.0.1:${agent.port}`;
    await agent.close();
    const headers = { 'x-prometheus-scrape-timeout-seconds': '1' };
    const { status, body } = await scrape({ target, module: 'switch' }, headers);
    assert.deepEqual([status, body.code], [504, 'PROBE_TOO_SLOW']);
  });

  it('serves a device of the definition files, and says when the module is missing there', async (test) => {
    const { scrape, agent, folder, apply, settle } = await startExporter(test);
    folder.writeDevices([{ name: 'core', port: agent.port, groups: 'device_groups: [plain]' }]);
    await apply();
    await settle();
    for (const target of ['core', `127.0.0.1:${agent.port}`]) {
      const { status, text } = await scrape({ target, module: 'plain' });
      assert.equal(status, 200, text);
      assert.ok(parseExposition(text, false).has('sysUpTime'));
    }
    folder.write(
      'device_groups/groups.yml',
      `${smallDefinitions['device_groups/groups.yml']}other: { object_groups: [interfaces] }\n`,
    );
    await apply();
    const { status, body } = await scrape({ target: 'core', module: 'other' });
    assert.deepEqual([status, body.code], [409, 'PROBE_NOT_COLLECTED']);
  });

  it('refuses more targets than it may have', async (test) => {
    const { scrape, agent } = await startExporter(test, { max_targets: 1 });
    assert.equal((await scrape({ target: `127.0.0.1:${agent.port}`, module: 'plain' })).status, 200);
    const { status, body } = await scrape({ target: `127.0.0.3:${agent.port}`, module: 'plain' });
    assert.deepEqual([status, body.code], [429, 'PROBE_TOO_MANY_TARGETS']);
  });
});
