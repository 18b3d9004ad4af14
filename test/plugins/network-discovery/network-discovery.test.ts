import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import httpApi from '../../../plugins/http-api/index.ts';
import { httpApiToken } from '../../../plugins/http-api/service.ts';
import plugin from '../../../plugins/network-discovery/index.ts';
import snmpApi from '../../../plugins/snmp-api/index.ts';
import { explainError } from '../../../src/index.ts';
import { checkPlugin } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { countDatagrams } from './count-datagrams.ts';
import { allCredentials, networkFile, recordingOf, startAgents, user } from './office-network.ts';
import { startScanning } from './scan-stack.ts';

const sysObjectIds = { 'autodiscover/sysoids/a.yml': '1.3.6.1.4.1.99999: plain\n' };

it('network-discovery fulfils the contract of a plugin', async () => {
  await checkPlugin(plugin, {
    needs: {
      definitions: { current: { sections: { networks: new Map() } } },
      registry: { devices: () => [] },
      client: {},
      discovery: {},
      routes: { add() {} },
    },
  });
});

describe('a scan of networks', { concurrency: 3 }, () => {
  it('adds a device for each address that answers, with the credential that it accepts', async (t) => {
    const { port } = await startAgents(t, '127.0.7', {
      2: { community: 'canary-first' },
      3: { community: 'canary-second' },
      5: { community: 'nobody-has-it', users: [user] },
      6: { community: 'canary-first', recording: recordingOf('../\u001b[2J__proto__\u2028<b>') },
      9: { community: 'canary-first' },
    });
    const folder = new DefinitionFolder(t, {
      ...sysObjectIds,
      'autodiscover/networks.yml': networkFile(port, '127.0.7.0/28', allCredentials),
      'devices/a.yml': `filed: { ip: 127.0.7.9, port: ${port}, version: 2c, communities: [canary-first], enabled: false }\n`,
    });
    const { registry, waitForScan, collector } = await startScanning(t, folder);
    const { addresses, visited, known, answered, found, refused, silent, networks } = await waitForScan(1);
    assert.deepEqual(
      { addresses, visited, known, answered, found, refused, silent, networks },
      {
        addresses: 14,
        visited: 14,
        known: 1,
        answered: 4,
        found: 4,
        refused: 0,
        silent: 0,
        networks: ['office'],
      },
    );
    const asked = ['127.0.7.2', '127.0.7.3', '127.0.7.5', '127.0.7.6', '127.0.7.9'].map((ip) => {
      const { ref, settings, source } = registry.findDevice(ip, port)!;
      return [ref.name, source, settings.version, settings.communities?.length];
    });
    assert.deepEqual(asked, [
      ['agent-2', 'networks', '2c', 1],
      ['agent-3', 'networks', '2c', 1],
      ['agent-5', 'networks', '3', undefined],
      ['2J-proto-b', 'networks', '2c', 1],
      ['filed', 'files', '2c', 1],
    ]);
    const { settings } = registry.findDevice('127.0.7.3', port)!;
    assert.deepEqual(
      [settings.communities, settings.poll_interval, settings.timeout, settings.retries],
      [['canary-second'], 30, 600, 1],
    );
    assert.doesNotMatch(JSON.stringify(collector.logLines), /canary/);
  });

  it('discovers a found device by the group of its sysObjectID', async (t) => {
    const { port } = await startAgents(t, '127.0.8', { 1: { community: 'canary-first' } });
    const folder = new DefinitionFolder(t, {
      ...sysObjectIds,
      'autodiscover/networks.yml': networkFile(port, '127.0.8.1/32'),
    });
    const { collector } = await startScanning(t, folder);
    const inventory = await new Promise((resolve) => {
      collector.events.on('discovery.completed', ({ device, inventory }) =>
        resolve([device.name, inventory.instances]),
      );
      collector.events.on('discovery.failed', ({ message }) => resolve(message));
    });
    assert.deepEqual(inventory, ['agent-1', 1]);
  });

  it('scans networks again when they change, and no address outside of them', async (t) => {
    const { port, agents } = await startAgents(t, '127.0.10', {
      1: { community: 'canary-first' },
      17: { community: 'canary-first' },
      33: { community: 'canary-first' },
    });
    const write = (networks: string) =>
      folder.write('autodiscover/networks.yml', networkFile(port, networks));
    const folder = new DefinitionFolder(t);
    write('127.0.10.0/28');
    const { waitForScan, apply, heard, registry } = await startScanning(t, folder, {
      options: { exclude: ['127.0.10.33/32'] },
    });
    await waitForScan(1);
    write('127.0.10.16/28, 127.0.10.32/28');
    await apply();
    const { cause, found } = await waitForScan(2);
    assert.deepEqual([cause, found], ['changed', 1]);
    assert.deepEqual(heard, ['added agent-1', 'removed agent-1', 'added agent-17']);
    folder.write('device_groups/groups.yml', 'plain: { object_groups: [system] }\n');
    await apply();
    folder.write('autodiscover/networks.yml', '{}\n');
    await apply();
    assert.equal(registry.size, 0);
    assert.equal(agents[2]!.counters.requests, 0, 'an excluded address');
  });

  it('ends a scan whose networks change, and begins another one', async (t) => {
    const sink = await countDatagrams(t, ['127.0.11.1']);
    const folder = new DefinitionFolder(t);
    const write = (networks: string) =>
      folder.write('autodiscover/networks.yml', networkFile(sink.port, networks));
    write('127.0.11.0/24');
    const { waitForScan, apply, ended } = await startScanning(t, folder, {
      options: { packets_per_second: 20 },
    });
    write('127.0.12.0/31');
    await apply();
    assert.deepEqual(
      [(await waitForScan(1)).code, (await waitForScan(2)).cause],
      ['SCAN_SUPERSEDED', 'changed'],
    );
    assert.equal(ended[1]?.addresses, 2);
  });

  it('begins on an HTTP request, and shows its progress', async (t) => {
    const { port } = await startAgents(t, '127.0.13', { 1: { community: 'canary-first' } });
    const folder = new DefinitionFolder(t);
    const { collector, waitForScan, apply } = await startScanning(t, folder, {
      more: [
        { plugin: snmpApi },
        { plugin: httpApi, options: { port: 0, limits: { loop_delay_ms: 60_000 } } },
      ],
    });
    const { baseUrl } = collector.getService(httpApiToken);
    const call = async (method: string, path: string) => {
      const answer = await fetch(`${baseUrl}/api/v1/snmp/${path}`, { method });
      const text = await answer.text();
      assert.doesNotMatch(text, /canary/);
      return { status: answer.status, body: JSON.parse(text) };
    };
    const none = await call('POST', 'scan-networks');
    assert.deepEqual([none.status, none.body.code], [409, 'SCAN_NO_NETWORKS']);
    folder.write('autodiscover/networks.yml', networkFile(port, '127.0.13.0/30'));
    await apply();
    const joined = await call('POST', 'scan-networks');
    assert.deepEqual([joined.status, joined.body.joined, joined.body.scan.cause], [202, true, 'changed']);
    assert.equal((await call('GET', 'network-scans')).body.running.addresses, 2);
    await waitForScan(1);
    const unknown = await call('POST', 'scan-networks?network=ofice');
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'SCAN_NETWORK_UNKNOWN']);
    assert.match(unknown.body.detail, /office/);
    assert.equal((await call('POST', 'scan-networks?network=office')).body.scan.cause, 'requested');
    await waitForScan(2);
    const { networks, last, nextAt } = (await call('GET', 'network-scans')).body;
    assert.deepEqual(networks, [
      { id: 'office', ranges: ['127.0.13.0/30'], port, file: 'autodiscover/networks.yml', line: 1 },
    ]);
    assert.deepEqual([last.answered, last.found, last.problem], [1, 0, undefined]);
    assert.ok(Date.parse(nextAt) > Date.now());
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    assert.match(metrics, /waywiser_scans_total\{outcome="completed"\} 2/);
    assert.match(metrics, /waywiser_scan_found_total 1/);
  });

  it('sends at most the configured packets per second, and one packet per address', async (t) => {
    const hosts = Array.from({ length: 127 }, (_, i) => `127.0.14.${i + 1}`);
    const sink = await countDatagrams(t, hosts);
    const folder = new DefinitionFolder(t, {
      'autodiscover/networks.yml': `office:
  credentials: [{ version: 2c, community: one }]
  port: ${sink.port}
  timeout: 100
  networks: [127.0.14.0/25, 127.0.14.64/26, 127.0.14.0/26]
`,
    });
    const { waitForScan, collector } = await startScanning(t, folder, {
      options: { packets_per_second: 100 },
    });
    let begunMs = Number.POSITIVE_INFINITY;
    collector.events.on('scan.started', () => {
      begunMs = performance.now();
    });
    const { addresses, durationMs } = await waitForScan(1);
    assert.equal(addresses, 126);
    assert.deepEqual(sink.addresses.toSorted(), hosts.slice(0, 126).sort());
    // A busy machine receives datagrams late, never early.
    for (const [sent, at] of sink.times.entries()) {
      assert.ok(sent <= (at - begunMs) / 10 + 3, `${sent} packets within ${at - begunMs} ms`);
    }
    assert.ok(durationMs > 1200, `${durationMs} ms`);
  });

  it('rejects invalid options, and leaves out networks that are too large', async (t) => {
    const folder = new DefinitionFolder(t, {
      'autodiscover/networks.yml': networkFile(9, '127.0.15.0/30, 127.0.16.0/24, "2001:db8::/64"'),
    });
    for (const [options, sentence] of [
      [{ exclude: ['192.0.2.0'] }, /cannot read "192\.0\.2\.0" of `exclude`/],
      [{ schedule: 'whenever' }, /cannot read its `schedule` "whenever"/],
    ] as const) {
      const started = startScanning(t, folder, { options });
      await assert.rejects(started, (error) => sentence.test(explainError(error)));
    }
    const { waitForScan, collector } = await startScanning(t, folder, { options: { max_addresses: 100 } });
    assert.equal((await waitForScan(1)).addresses, 2);
    const codes = collector.logLines.map(({ code }) => code).filter(Boolean);
    assert.deepEqual(codes, ['SCAN_TOO_MANY_ADDRESSES', 'SCAN_IPV6_TOO_LARGE']);
  });
});
