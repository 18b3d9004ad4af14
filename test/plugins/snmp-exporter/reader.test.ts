import assert from 'node:assert/strict';
import { env } from 'node:process';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import { hashToken, makeToken } from '../../../plugins/http-api/security/credentials/stored-token.ts';
import snmpExporter from '../../../plugins/snmp-exporter/index.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { parseExposition } from '../outputs/prometheus/exposition-parser.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

env['READER_TEST_COMMUNITY'] = 'public';
env['READER_TEST_OTHER'] = 'other';

const recording = fileURLToPath(new URL('../../recordings/switch.snmprec', import.meta.url));

async function startExporter(t: TestContext) {
  const agent = await startReplayAgent({ recording });
  const otherPort = await startReplayAgent({ recording });
  t.after(() => Promise.all([agent.close(), otherPort.close()]));
  const network = (name: string, variable: string) => `${name}:
  credentials: [{ version: 2c, community: "\${env:${variable}}" }]
  networks: [127.0.0.0/8]
  port: ${agent.port}
  timeout: 300
  retries: 0
`;
  const folder = new DefinitionFolder(t, {
    'autodiscover/networks.yml':
      network('public_v2', 'READER_TEST_COMMUNITY') + network('other', 'READER_TEST_OTHER'),
  });
  const tokens = { read: makeToken(), operate: makeToken() };
  const api = await startApi(t, folder, {
    api: {
      tokens: Object.entries(tokens).map(([role, token]) => ({
        name: role,
        role,
        sha256: hashToken(token).toString('hex'),
      })),
      limits: { requests_per_second: 10_000, connections_per_address: 1_000 },
    },
    more: [{ plugin: poller, options: { health_every_s: 0 } }, { plugin: snmpExporter }],
  });
  const registry = api.collector.getService(deviceRegistryToken);
  return {
    agent,
    otherPort,
    target: `127.0.0.1:${agent.port}`,
    devices: () => Array.from(registry.devices(), ({ ref, settings }) => ({ ref, settings })),
    scrape: (role: 'read' | 'operate', query: Readonly<Record<string, string>>, headers = {}) =>
      api.call('GET', `/snmp?${new URLSearchParams(query)}`, {
        headers: { authorization: `Bearer ${tokens[role]}`, ...headers },
      }),
  };
}

describe('a scrape by a reader', () => {
  it('sends no community to an address that is no device, and adds no device', async (t) => {
    const { scrape, agent, otherPort, target, devices } = await startExporter(t);
    for (const unknown of [target, `127.0.0.1:${otherPort.port}`, '127.0.0.7']) {
      const { status, body } = await scrape('read', { target: unknown, module: 'plain' });
      assert.deepEqual([status, body.code], [403, 'PROBE_ROLE_TOO_LOW']);
      assert.match(body.detail, /adds .+ needs the role operate/);
    }
    assert.deepEqual([agent.counters.requests, otherPort.counters.requests], [0, 0]);
    assert.deepEqual(devices(), []);
  });

  it('leaves the credentials and modules of a target as they are, and is answered for those', async (t) => {
    const { scrape, agent, target, devices } = await startExporter(t);
    assert.equal((await scrape('operate', { target, module: 'plain' })).status, 200);
    const before = devices();
    const asked = agent.counters.requests;
    for (const change of [{ auth: 'other' }, { module: 'switch' }, { module: 'plain,switch' }]) {
      const { status, body } = await scrape('read', { target, module: 'plain', ...change });
      assert.deepEqual([status, body.code], [403, 'PROBE_ROLE_TOO_LOW']);
    }
    assert.equal((await scrape('read', { target, module: 'plain' })).status, 200);
    assert.deepEqual(devices(), before);
    assert.equal(agent.counters.requests, asked);
  });

  it('causes one poll in an interval, however many scrapes and combinations of modules there are', async (t) => {
    const { scrape, agent, target } = await startExporter(t);
    const first = await scrape('operate', { target, module: 'switch,plain' });
    assert.equal(first.status, 200);
    const packets = parseExposition(first.text, false).get('snmp_scrape_packets_sent')!.samples[0]!.value;
    const asked = agent.counters.requests;
    const combinations = ['plain', 'switch', 'plain,switch', 'switch,plain'];
    const answers = await Promise.all(
      Array.from({ length: 150 }, async (_, i) => {
        await sleep(5 * (i % 20));
        return await scrape('read', { target, module: combinations[i % 4]! });
      }),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    // The schedule polls a new device once, within its first minute.
    assert.ok(agent.counters.requests - asked <= Number(packets), String(agent.counters.requests - asked));
  });
});

describe('a scrape by an operator', () => {
  it('reaches only the port that the network names', async (t) => {
    const { scrape, otherPort, devices } = await startExporter(t);
    const { status, body } = await scrape('operate', { target: `127.0.0.1:${otherPort.port}` });
    assert.deepEqual([status, body.code], [400, 'PROBE_MODULE_UNKNOWN']);
    const target = `127.0.0.1:${otherPort.port}`;
    const refused = await scrape('operate', { target, module: 'plain' });
    assert.deepEqual([refused.status, refused.body.code], [403, 'PROBE_PORT_REFUSED']);
    assert.equal(otherPort.counters.requests, 0);
    assert.deepEqual(devices(), []);
  });

  it('asks a new target once, when 150 scrapes come at the same time', async (t) => {
    const { scrape, agent, target } = await startExporter(t);
    const first = await Promise.all(
      Array.from({ length: 150 }, () => scrape('operate', { target, module: 'plain' })),
    );
    assert.deepEqual([...new Set(first.map(({ status }) => status))], [200]);
    const facts = first.map(({ text }) => parseExposition(text, false).get('snmp_scrape_packets_sent'));
    assert.deepEqual(new Set(facts.map((fact) => Number(fact!.samples[0]!.value))), new Set([1]));
    // A discovery of one object and a poll of one request.
    assert.ok(agent.counters.requests < 15, String(agent.counters.requests));
  });

  it('serves each series once for modules that were polled apart and share an object', async (t) => {
    const { scrape, target } = await startExporter(t);
    assert.equal((await scrape('operate', { target, module: 'switch' })).status, 200);
    // The new module is discovered, and what was polled before it is polled again with the new settings.
    assert.equal((await scrape('operate', { target, module: 'plain' })).status, 200);
    const { text } = await scrape('operate', { target, module: 'switch,plain' });
    const families = parseExposition(text, false);
    assert.equal(families.get('sysUpTime')!.samples.length, 1);
    assert.ok(families.get('ifHCInOctets')!.samples.length > 20);
  });

  it('is not what a page of another site lets a browser send', async (t) => {
    const { scrape, agent, target, devices } = await startExporter(t);
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://example.net' }]) {
      const { status, body } = await scrape('operate', { target, module: 'plain' }, headers);
      assert.deepEqual([status, body.code], [403, 'HTTP_ORIGIN_REFUSED']);
    }
    assert.equal(agent.counters.requests, 0);
    assert.deepEqual(devices(), []);
  });
});
