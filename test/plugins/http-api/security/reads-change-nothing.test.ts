import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { deviceRegistryToken } from '../../../../plugins/device-registry/service.ts';
import history from '../../../../plugins/history/index.ts';
import { hashToken, makeToken } from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import networkDiscovery from '../../../../plugins/network-discovery/index.ts';
import prometheus from '../../../../plugins/outputs/prometheus/index.ts';
import snmpExporter from '../../../../plugins/snmp-exporter/index.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import traps from '../../../../plugins/snmp-traps/index.ts';
import { startReplayAgent } from '../../../../src/testing/index.ts';
import { until } from '../../../support/until.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';
import { listOperations, type Operation } from '../support/description.ts';

env['READS_TEST_COMMUNITY'] = 'public';

const recording = fileURLToPath(new URL('../../../recordings/switch.snmprec', import.meta.url));

/** Routes that the description leaves out. */
const undescribed = ['/docs', '/openapi.json', '/livez', '/readyz', '/no/such/route'];

const networks = (port: number) => `public_v2:
  credentials: [{ version: 2c, community: "\${env:READS_TEST_COMMUNITY}" }]
  networks: [127.0.0.0/8]
  port: ${port}
  poll_interval: 604800
other:
  credentials: [{ version: 2c, community: "\${env:READS_TEST_COMMUNITY}" }]
  networks: [127.0.0.0/8]
`;

function hashFiles(directory: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(directory, { recursive: true }) as string[]) {
    const path = join(directory, name);
    // What polls of the schedule teach about a device.
    if (name.endsWith('learned.journal')) continue;
    if (statSync(path).isFile()) files[name] = createHash('sha256').update(readFileSync(path)).digest('hex');
  }
  return files;
}

describe('what the role read may ask', () => {
  it('changes no device and no file, and sends no packet, whatever route and parameters', async (t) => {
    const agent = await startReplayAgent({ recording });
    const { port } = agent;
    const target = await startReplayAgent({ recording, address: '127.0.0.8', port });
    const stranger = await startReplayAgent({ recording, address: '127.0.0.9', port });
    t.after(() => Promise.all([agent, target, stranger].map((each) => each.close())));
    const folder = new DefinitionFolder(t, { 'autodiscover/networks.yml': networks(port) });
    folder.writeDevices([{ name: 'core', port, groups: 'device_groups: [plain], poll_interval: 604800' }]);
    const reader = makeToken();
    const admin = makeToken();
    const stored = (name: string, role: string, token: string) => ({
      name,
      role,
      sha256: hashToken(token).toString('hex'),
    });
    const { collector, baseUrl, call, settle } = await startApi(t, folder, {
      api: {
        tokens: [stored('reader', 'read', reader), stored('admin', 'admin', admin)],
        // A fast machine asks more than a client may, and the limit would answer instead of the role.
        limits: { requests_per_second: 100_000 },
      },
      more: [
        { plugin: poller, options: { health_every_s: 0 } },
        { plugin: snmpExporter },
        { plugin: networkDiscovery, options: { at_start: false } },
        { plugin: traps, options: { listen: [{ address: '127.0.0.1', port: 0 }] } },
        { plugin: history, options: { flush_seconds: 3_600 } },
        { plugin: prometheus },
      ],
    });
    const asAdmin = { headers: { authorization: `Bearer ${admin}` } };
    await settle();
    // A device, and a target that the scrape adds. What a reader is shown of them is in these polls.
    for (const ip of ['127.0.0.1', '127.0.0.8']) {
      const { status, text } = await call('GET', `/snmp?target=${ip}:${port}&module=plain`, asAdmin);
      assert.equal(status, 200, text);
    }
    const page = await call('GET', '/openapi.json', asAdmin);
    const reads = listOperations(page.body).filter(({ method }) => method === 'GET');
    assert.ok(reads.length > 30, String(reads.length));
    assert.ok(reads.some(({ path }) => path === '/snmp'));
    const registry = collector.getService(deviceRegistryToken);
    const observe = () => ({
      devices: Array.from(registry.devices(), ({ ref, settings }) => ({ ref, settings })),
      files: hashFiles(collector.stateDirectory),
    });
    const values = [
      ...['1', 'true', 'core', '127.0.0.9', `127.0.0.9:${port}`, `127.0.0.1:${port}`],
      ...['plain', 'switch', 'plain,switch', 'public_v2', 'other', 'member', 'SNMPv2-MIB::system'],
    ];
    const paths = [...undescribed, ...reads.flatMap((read) => pathsOf(read, port, values))];
    let before = observe();
    await until(async () => {
      const last = before;
      await sleep(1_200);
      before = observe();
      return isDeepStrictEqual(last, before);
    });
    const asked = [agent, target, stranger].map(({ counters }) => counters.requests);
    const statuses = new Set<number>();
    for (const [i, path] of paths.entries()) {
      for (const method of i % 5 === 0 ? ['GET', 'HEAD'] : ['GET']) {
        const headers = { authorization: `Bearer ${reader}` };
        const answer = await fetch(baseUrl + path, { method, headers });
        statuses.add(answer.status);
        await answer.body?.cancel();
      }
    }
    await sleep(300);
    await settle();
    assert.ok(
      [200, 400, 403, 404].every((status) => statuses.has(status)),
      [...statuses].join(),
    );
    assert.deepEqual(observe(), before);
    const packets = [agent, target, stranger].map(({ counters }, i) => counters.requests - asked[i]!);
    // The schedule polls the device and the target once, within the first minute.
    assert.ok(packets[0]! <= 1 && packets[1]! <= 1, packets.join());
    assert.equal(packets[2], 0);
  });
});

/** The path with every parameter filled in, and with each value for each parameter of the query. */
function pathsOf({ path, parameters }: Operation, port: number, values: readonly string[]): string[] {
  const filled: Readonly<Record<string, string>> = { ip: '127.0.0.1', port: String(port), device: 'core' };
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? 'plain');
  const queried = parameters.filter((each) => each.in === 'query');
  if (path === '/snmp') {
    return [
      'core',
      `127.0.0.1:${port}`,
      `127.0.0.8:${port}`,
      `127.0.0.9:${port}`,
      '127.0.0.9',
      '127.0.0.9:9',
    ].flatMap((target) =>
      ['plain', 'switch', 'plain,switch'].flatMap((module) =>
        ['public_v2', 'other'].map((auth) => `${at}?${new URLSearchParams({ target, module, auth })}`),
      ),
    );
  }
  return [
    at,
    ...queried.flatMap(({ name, schema }) =>
      [...(schema.enum ?? []), ...values].map((value) => `${at}?${new URLSearchParams({ [name]: value })}`),
    ),
  ];
}
