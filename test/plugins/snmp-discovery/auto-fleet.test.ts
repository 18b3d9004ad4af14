import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRecording, startReplayAgents } from '../../../src/testing/index.ts';
import { isLong } from '../../support/long-run.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

const count = isLong ? 200 : 24;
const ours = '1.3.6.1.4.1.63000';
const theirs = '1.3.6.1.4.1.64000';

const objectOf = (name: string, entry: string, keys = '') =>
  `V-MIB::${name}: { ${keys} index: [{ type: Integer, name: ${name}, syntax: IntegerAsID }], attributes: { a: { oid: ${entry}.1.2, name: ${name}.a, syntax: Gauge32 } } }\n`;

const recordingOf = (vendor: string) =>
  parseRecording(
    [
      '1.3.6.1.2.1.1.1.0|4|a device',
      '1.3.6.1.2.1.1.3.0|67|100',
      ...[1, 2, 3, 4, 5].map((table) => `${vendor}.${table}.1.2.1|66|7`),
    ].join('\n'),
  );

const base = {
  t1: objectOf('t1', `${ours}.1`),
  t2: objectOf('t2', `${ours}.2`),
  t3: objectOf('t3', `${ours}.3`),
  t4: objectOf('t4', `${ours}.4`, 'collect: on_request,'),
  u1: objectOf('u1', `${theirs}.1`),
  groups: { plain: '{ objects: auto }', special: '{ objects: auto }' },
};
type Given = Omit<typeof base, 'groups'> & {
  readonly groups: typeof base.groups;
  readonly more?: string;
};

/** Devices by vendor and group: every second one has the vendor `theirs`, every fourth pair the group `special`. */
type Kind = 'ours' | 'theirs' | 'ours special' | 'theirs special';
const kindOf = (device: number): Kind =>
  `${device % 2 === 0 ? 'ours' : 'theirs'}${device % 8 < 2 ? ' special' : ''}` as Kind;
const allOurs: readonly Kind[] = ['ours', 'ours special'];

const cases: readonly {
  readonly title: string;
  readonly before?: Partial<Given>;
  readonly change: Partial<Given>;
  readonly affects: readonly Kind[];
  /** What a device of the vendor `ours` collects beside the system group. */
  readonly collects: readonly string[];
  /** The same for one in the group `special`, where that differs. */
  readonly specialCollects?: readonly string[];
}[] = [
  {
    title: 'a new object below a root that they answer',
    change: { more: objectOf('t5', `${ours}.5`) },
    affects: allOurs,
    collects: ['t1', 't2', 't3', 't5'],
  },
  {
    title: 'a new object below a root that nobody answers',
    change: { more: objectOf('t9', '1.3.6.1.4.1.62000.1') },
    affects: [],
    collects: ['t1', 't2', 't3'],
  },
  {
    title: 'a new object below a root that they answer, which they lack',
    change: { more: objectOf('t9', `${ours}.9`) },
    affects: allOurs,
    collects: ['t1', 't2', 't3'],
  },
  {
    title: 'an object that is removed',
    change: { t1: '' },
    affects: allOurs,
    collects: ['t2', 't3'],
  },
  {
    title: 'an object that moves below another root',
    change: { t1: objectOf('t1', `${theirs}.1`) },
    affects: ['ours', 'ours special', 'theirs', 'theirs special'],
    collects: ['t2', 't3'],
  },
  {
    title: 'an object that replaces another one now',
    change: { t2: objectOf('t2', `${ours}.2`, 'replaces: [V-MIB::t3],') },
    affects: allOurs,
    collects: ['t1', 't2'],
  },
  {
    title: 'an object that replaces no other one any more',
    before: { t2: objectOf('t2', `${ours}.2`, 'replaces: [V-MIB::t3],') },
    change: {},
    affects: allOurs,
    collects: ['t1', 't2', 't3'],
  },
  {
    title: 'an object that was collected on request only',
    change: { t4: objectOf('t4', `${ours}.4`) },
    affects: allOurs,
    collects: ['t1', 't2', 't3', 't4'],
  },
  {
    title: 'an object that is collected on request only now',
    change: { t3: objectOf('t3', `${ours}.3`, 'collect: on_request,') },
    affects: allOurs,
    collects: ['t1', 't2'],
  },
  {
    title: 'a group that leaves an object out',
    change: { groups: { ...base.groups, special: '{ objects: auto, without: ["V-MIB::t1"] }' } },
    affects: ['ours special', 'theirs special'],
    collects: ['t1', 't2', 't3'],
    specialCollects: ['t2', 't3'],
  },
  {
    title: 'a group that leaves an object out no longer',
    before: { groups: { ...base.groups, special: '{ objects: auto, without: ["V-MIB::t1"] }' } },
    change: {},
    affects: ['ours special', 'theirs special'],
    collects: ['t1', 't2', 't3'],
  },
  {
    title: 'a group that names an object',
    change: { groups: { ...base.groups, special: '{ objects: [auto, "V-MIB::t4"] }' } },
    affects: ['ours special', 'theirs special'],
    collects: ['t1', 't2', 't3'],
    specialCollects: ['t1', 't2', 't3', 't4'],
  },
];

test('with force, devices of `objects: auto` are asked only if they are affected', async (t) => {
  const recordings = [recordingOf(ours), recordingOf(theirs)];
  const agents = await startReplayAgents(
    Array.from({ length: count }, (_, device) => ({ recording: recordings[device % 2]! })),
  );
  t.after(() => Promise.all(agents.map((agent) => agent.close())));
  const folder = new DefinitionFolder(t);
  const write = ({ groups, ...objects }: Given) => {
    folder.write('objects/vendor.yml', Object.values(objects).join(''));
    folder.write('device_groups/groups.yml', `plain: ${groups.plain}\nspecial: ${groups.special}\n`);
  };
  write(base);
  folder.writeDevices(
    agents.map(({ port }, device) => ({
      name: `d${device}`,
      port,
      groups: `device_groups: [${kindOf(device).includes('special') ? 'special' : 'plain'}]`,
    })),
  );
  const { definitions, discovery, device, settle } = await startDiscovery(t, folder, {
    max_concurrent: 50,
    starts_per_second: 1_000,
  });
  const apply = async () => {
    await settle();
    const before = agents.map(({ counters }) => counters.requests);
    const result = await definitions.apply({ forceRediscovery: true, requestedBy: 'test' });
    assert.ok(result.accepted, JSON.stringify(result));
    await settle();
    return agents.map(({ counters }, at) => counters.requests - before[at]!);
  };
  for (const each of cases) await t.test(each.title, (t) => check(t, each));

  async function check(
    t: { diagnostic(text: string): void },
    { before = {}, change, affects, collects, specialCollects = collects }: (typeof cases)[number],
  ) {
    write({ ...base, ...before });
    await apply();
    write({ ...base, ...change });
    const packets = await apply();
    const most = Math.max(...packets);
    t.diagnostic(`at most ${most} packets per device`);
    const wrong = packets.flatMap((sent, at) =>
      sent > 0 && !affects.includes(kindOf(at)) ? [`d${at} (${kindOf(at)}): ${sent}`] : [],
    );
    assert.deepEqual(wrong, []);
    const missed = packets.flatMap((sent, at) => (sent === 0 && affects.includes(kindOf(at)) ? [at] : []));
    assert.deepEqual(missed, []);
    assert.ok(most <= 12, `${most} packets`);
    const idsOf = (name: string) =>
      Array.from(discovery.findInventory(device(name))!.objects.keys(), (id) => id.split('::')[1]).sort();
    assert.deepEqual(idsOf('d4'), ['system', ...collects]);
    assert.deepEqual(idsOf('d0'), ['system', ...specialCollects]);
  }
});
