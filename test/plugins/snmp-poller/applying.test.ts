import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Batch, gapAt, rowsOf } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

async function startSwitch(t: TestContext, everySeconds = 60, files = {}) {
  const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t, files);
  folder.writeDevices([
    { name: 'sw', port: agent.port, groups: `device_groups: [switch], poll_interval: ${everySeconds}` },
  ]);
  const stack = await startPolling(t, folder);
  await stack.discovered();
  const apply = (forceRediscovery = false) =>
    stack.definitions.apply({ requestedBy: 'test', forceRediscovery });
  return { ...stack, agent, folder, apply };
}

const recordOf = (batches: readonly Batch[], record: string) =>
  batches.find((batch) => batch.record === record);
const fieldsOf = (batch: Batch | undefined) => batch?.columns.map(({ field }) => field);

describe('an apply', () => {
  it('without force polls changed attributes at the known instances', async (t) => {
    const { folder, apply, poll, discovery } = await startSwitch(t);
    const before = recordOf(await poll('sw'), 'IF-MIB::ifEntry')!;
    const runs = discovery.runs.length;
    folder.write(
      'objects/interfaces.yml',
      smallDefinitions['objects/interfaces.yml']!.replaceAll('netif.bytes.in', 'netif.octets'),
    );
    await apply();
    const after = recordOf(await poll('sw'), 'IF-MIB::ifEntry')!;
    assert.deepEqual(fieldsOf(after), ['netif.octets', 'netif.octets_rate']);
    assert.deepEqual(after.rows.keys, before.rows.keys);
    assert.deepEqual([before.generation, after.generation], [1, 2]);
    assert.equal(discovery.runs.length, runs);
  });

  it('without force stops polling removed objects, and polls new objects only after a discovery', async (t) => {
    const { folder, apply, poll, discovery, device } = await startSwitch(t);
    folder.write(
      'objects/more.yml',
      `SNMPv2-MIB::snmp:
  mib: SNMPv2-MIB
  object: snmp
  attributes:
    snmpInPkts: { oid: .1.3.6.1.2.1.11.1, name: snmp.packets.in, syntax: Counter32, metric: counter }
`,
    );
    folder.write(
      'object_groups/groups.yml',
      'system: { objects: [SNMPv2-MIB::snmp] }\ninterfaces: { objects: [IF-MIB::ifEntry] }\n',
    );
    await apply();
    const batches = await poll('sw');
    assert.deepEqual(
      batches.map(({ record }) => record),
      ['IF-MIB::ifEntry'],
    );
    assert.deepEqual(Object.keys(batches[0]!.rows.labels), ['netif.index', 'netif.description']);
    await discovery.request(device('sw'), 'requested').run.ended;
    const records = (await poll('sw')).map(({ record }) => record);
    assert.ok(discovery.findInventory(device('sw'))!.objects.has('SNMPv2-MIB::snmp'));
    assert.ok(records.includes('IF-MIB::ifEntry') && !records.includes('SNMPv2-MIB::system'));
  });

  it('that changes the interval moves the device to other slots', async (t) => {
    const { folder, apply, poller, device, agent, next } = await startSwitch(t);
    assert.deepEqual(
      poller.upcoming(device('sw')).map(({ plan }) => plan),
      ['every-60s'],
    );
    folder.writeDevices([
      { name: 'sw', port: agent.port, groups: 'device_groups: [switch], poll_interval: 1' },
    ]);
    await apply();
    const { plan } = await next('poll.completed');
    assert.equal(plan, 'every-1s');
    assert.equal(poller.counters().slots, 1);
  });

  it('that changes credentials lets the poll under way end in its own session', async (t) => {
    const { folder, apply, poll, agent } = await startSwitch(t);
    agent.set({ delayMs: 100 });
    const underWay = poll('sw');
    folder.write(
      'devices/all.yml',
      `sw: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public], timeout: 500, device_groups: [switch] }\n`,
    );
    await apply();
    const batches = await underWay;
    assert.deepEqual(
      batches.map(({ generation }) => generation),
      [1, 1],
    );
    assert.ok(batches.every(({ columns }) => columns.every(({ gaps }, i) => i > 0 || gaps === undefined)));
    assert.equal((await poll('sw'))[0]?.generation, 2);
  });
});

describe('objects of different intervals in one record', () => {
  const files = {
    'objects/interfaces.yml': smallDefinitions['objects/interfaces.yml']!.replace(
      '  object: ifXEntry\n',
      '  object: ifXEntry\n  type: static\n',
    ),
    'defaults/object_types.yml': 'static: { poll_interval: 3600 }\n',
  };

  it('share labels: names that are polled once per hour appear on rows that are polled once per minute', async (t) => {
    const { poll, agent } = await startSwitch(t, 60, files);
    const batches = await poll('sw');
    assert.deepEqual(batches.map(({ record, plan }) => `${plan} ${record}`).sort(), [
      'every-3600s IF-MIB::ifEntry',
      'every-60s IF-MIB::ifEntry',
      'every-60s SNMPv2-MIB::system',
    ]);
    const fast = () =>
      poll('sw').then(
        (all) => all.find(({ plan, record }) => plan === 'every-60s' && record.startsWith('IF'))!,
      );
    const { requests } = agent.counters;
    const batch = await fast();
    assert.equal(batch.rows.keys[2], 'netif.name=ge-0/3');
    assert.ok(agent.counters.requests > requests);
  });
});

describe('rows and values that are missing', () => {
  it('have a reason for rows that disappeared since the discovery', async (t) => {
    const { poll, agent } = await startSwitch(t);
    agent.set({
      rows: ['1.3.6.1.2.1.2.2.1', '1.3.6.1.2.1.31.1.1.1'].map((table) => ({
        table,
        index: '3',
        isPresent: () => false,
      })),
    });
    const batch = recordOf(await poll('sw'), 'IF-MIB::ifEntry')!;
    assert.equal(batch.rows.keys[2], '3', 'a row without a name is identified by its instance');
    assert.equal(gapAt(batch.columns[0]!, 2), 'noSuchInstance');
    const rows = [...rowsOf(batch)];
    assert.equal(rows.filter(({ values }) => 'netif.bytes.in' in values).length, rows.length - 1);
  });

  it('are not requested where another attribute overrides them', async (t) => {
    const { poll, poller, device } = await startSwitch(t);
    await poll('sw');
    const better = { object: 'IF-MIB::ifXEntry', instance: '3', attribute: 'ifHCInOctets' };
    const { reading } = poller.explain(device('sw'), better);
    assert.deepEqual(reading!.raw, { type: 'Counter64', value: '2740326354009' });
    assert.deepEqual(
      reading!.fields.map(({ field, value }) => [field, value]),
      [['netif.bytes.in', 2740326354009]],
    );
    const lesser = { object: 'IF-MIB::ifEntry', instance: '3', attribute: 'ifInOctets' };
    assert.equal(poller.explain(device('sw'), lesser).reading, undefined);
  });
});
