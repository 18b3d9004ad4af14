import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { parseRecording, type ReplayKnobs, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const ifEntry = '1.3.6.1.2.1.2.2.1';
const ifName = '1.3.6.1.2.1.31.1.1.1.1';
const etherLike = '1.3.6.1.2.1.10.7.2.1';
const vlans = '1.3.6.1.4.1.32473.77.1';
const system = '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473\n1.3.6.1.2.1.1.3.0|67|1000';

async function start(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  objects: string,
  lines: string[],
) {
  const agent = await startReplayAgent({ recording: parseRecording([system, ...lines].join('\n')) });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t, {
    ...files,
    'defaults/object_types.yml': 'often: { poll_interval: 300 }\nseldom: { poll_interval: 3600 }\n',
    'object_groups/groups.yml': `all: { objects: [${objects}] }\n`,
    'device_groups/groups.yml': 'all: { object_groups: [all] }\n',
  });
  folder.writeDevices([{ name: 'dev', port: agent.port, groups: 'device_groups: [all]' }]);
  const { discovered, poll } = await startPolling(t, folder);
  await discovered();
  return {
    set: (values: ReplayKnobs['values']) => agent.set({ values }),
    /** The keys of the rows, by plan. */
    async pollKeys() {
      const batches = await poll('dev');
      return Object.fromEntries(batches.map(({ plan, rows }) => [plan, [...rows.keys].sort()]));
    },
  };
}

/** One record in three plans. Only the first has all rows, and only the second reads the names at each poll. */
const interfaces = `IF-MIB::ifEntry:
  index: [{ type: Integer, oid: .${ifEntry}.1, name: netif, syntax: InterfaceIndex }]
  discovery_attribute: ifInOctets
  attributes:
    ifInOctets: { oid: .${ifEntry}.10, name: netif.bytes.in, syntax: BytesB, metric: counter }
IF-MIB::ifXEntry:
  augments: IF-MIB::ifEntry
  type: often
  discovery_attribute: ifName
  attributes:
    ifName: { oid: .${ifName}, name: netif.name, syntax: DisplayString, tag: true }
    ifAlias: { oid: .1.3.6.1.2.1.31.1.1.1.18, name: netif.alias, syntax: DisplayString }
EtherLike-MIB::dot3StatsEntry:
  augments: IF-MIB::ifEntry
  type: seldom
  discovery_attribute: dot3StatsAlignmentErrors
  attributes:
    dot3StatsAlignmentErrors: { oid: .${etherLike}.2, name: netif.errors.alignment, syntax: Counter32 }
`;

const startInterfaces = (t: TestContext) =>
  start(
    t,
    { 'objects/interfaces.yml': interfaces },
    'IF-MIB::ifEntry, IF-MIB::ifXEntry, EtherLike-MIB::dot3StatsEntry',
    [
      ...[1, 2, 3, 4].map((row) => `${ifEntry}.10.${row}|65|${row}`),
      `${etherLike}.2.1|65|0`,
      `${etherLike}.2.3|65|0`,
      `${ifName}.1|4|eth`,
      `${ifName}.2|4|eth`,
      `${ifName}.3|4|ge-3`,
      ...[1, 2, 3].map((row) => `1.3.6.1.2.1.31.1.1.1.18.${row}|4|alias`),
    ],
  );

describe('the keys of rows', () => {
  it('are the same in all plans of a record, also for a name that only another plan has twice', async (t) => {
    const { pollKeys } = await startInterfaces(t);
    assert.deepEqual(await pollKeys(), {
      'every-60s': ['1', '2', '4', 'netif.name=ge-3'],
      'every-300s': ['1', '2', 'netif.name=ge-3'],
      'every-3600s': ['1', 'netif.name=ge-3'],
    });
  });

  it('follow a new name in all plans of a record', async (t) => {
    const { pollKeys, set } = await startInterfaces(t);
    await pollKeys();
    set([{ under: `${ifName}.1`, at: () => 'ge-1' }]);
    await pollKeys();
    assert.deepEqual(await pollKeys(), {
      'every-60s': ['4', 'netif.name=eth', 'netif.name=ge-1', 'netif.name=ge-3'],
      'every-300s': ['netif.name=eth', 'netif.name=ge-1', 'netif.name=ge-3'],
      'every-3600s': ['netif.name=ge-1', 'netif.name=ge-3'],
    });
  });

  for (const [what, syntax, type] of [
    ['a VLAN', 'UnsignedAsID', 66],
    ['an enum', 'EnumInteger', 2],
    ['a description', 'DisplayString', 4],
  ] as const) {
    it(`are the instances where ${what} happens to be unique`, async (t) => {
      const table = `VLAN-MIB::entry:
  index: [{ type: Integer, oid: .${vlans}.1, name: row, syntax: Integer }]
  discovery_attribute: vlan
  attributes:
    vlan: { oid: .${vlans}.2, name: vlan.id, syntax: ${syntax}, tag: true }
    frames: { oid: .${vlans}.3, name: vlan.frames, syntax: Counter32, metric: counter }
`;
      const enums = `.${vlans}.2: { 10: up, 20: down }\n`;
      const { pollKeys, set } = await start(
        t,
        { 'objects/vlans.yml': table, 'enums/integer/vlans.yml': enums },
        'VLAN-MIB::entry',
        [`${vlans}.2.1|${type}|10`, `${vlans}.2.2|${type}|20`, `${vlans}.3.1|65|5`, `${vlans}.3.2|65|6`],
      );
      assert.deepEqual(await pollKeys(), { 'every-60s': ['1', '2'] });
      set([{ under: `${vlans}.2.2`, at: () => (type === 4 ? '10' : 10) }]);
      assert.deepEqual(await pollKeys(), { 'every-60s': ['1', '2'] });
    });
  }

  it('and the rows are the same objects on devices that are alike, until a name changes on one of them', async (t) => {
    const lines = [1, 2].flatMap((row) => [`${ifEntry}.10.${row}|65|${row}`, `${ifName}.${row}|4|ge-${row}`]);
    const agents = await Promise.all(
      [0, 1].map(() => startReplayAgent({ recording: parseRecording([system, ...lines].join('\n')) })),
    );
    t.after(() => Promise.all(agents.map((agent) => agent.close())));
    const folder = new DefinitionFolder(t, {
      'objects/interfaces.yml': interfaces,
      'defaults/object_types.yml': 'often: { poll_interval: 60 }\n',
      'object_groups/groups.yml': 'all: { objects: [IF-MIB::ifEntry, IF-MIB::ifXEntry] }\n',
      'device_groups/groups.yml': 'all: { object_groups: [all] }\n',
    });
    const groups = 'device_groups: [all]';
    folder.writeDevices(agents.map(({ port }, i) => ({ name: `d${i}`, port, groups })));
    const { discovered, poll } = await startPolling(t, folder);
    await discovered();
    const rowsOf = async (name: string) => (await poll(name)).find(({ rows }) => rows.count === 2)!.rows;
    const [first, second] = [await rowsOf('d0'), await rowsOf('d1')];
    assert.equal(second, first);
    assert.deepEqual(first.keys, ['netif.name=ge-1', 'netif.name=ge-2']);
    agents[1]!.set({ values: [{ under: `${ifName}.1`, at: () => 'ge-9' }] });
    assert.deepEqual((await rowsOf('d1')).keys, ['netif.name=ge-9', 'netif.name=ge-2']);
    assert.equal(await rowsOf('d0'), first);
    assert.deepEqual(first.keys, ['netif.name=ge-1', 'netif.name=ge-2']);
    assert.deepEqual(first.labels['netif.name'], ['ge-1', 'ge-2']);
  });
});
