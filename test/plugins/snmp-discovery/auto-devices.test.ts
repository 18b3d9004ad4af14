import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { CoverageTally, knownIn } from '../../../cli/definitions/coverage/measure-coverage.ts';
import { findNotCollected } from '../../../plugins/snmp-poller/explain/not-collected.ts';
import { wishOf } from '../../../src/definitions/selection/object-wish.ts';
import { RootReasons } from '../../../src/definitions/selection/root-reasons.ts';
import { parseRecording, type ReplayKnobs, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

const vendor = '1.3.6.1.4.1.63000';

/** A table with two columns below the vendor. */
function table(number: number, keys = '', root = vendor): string {
  const entry = `${root}.${number}.1`;
  return `V-MIB::t${number}: { ${keys} index: [{ type: Integer, name: v${number}, syntax: IntegerAsID }], attributes: { a: { oid: ${entry}.2, name: v${number}.a, syntax: Gauge32 }, b: { oid: ${entry}.3, name: v${number}.b, syntax: Gauge32 } } }\n`;
}

const rows = (entry: string, count = 2) =>
  [2, 3].flatMap((column) => Array.from({ length: count }, (_, row) => `${entry}.${column}.${row + 1}|66|7`));

/** Answers tables 1 to 5 of the vendor, and another vendor that nothing defines. */
const recording = parseRecording(
  [
    '1.3.6.1.2.1.1.1.0|4|a device',
    `1.3.6.1.2.1.1.2.0|6|${vendor}.9`,
    '1.3.6.1.2.1.1.3.0|67|100',
    ...[1, 2, 3, 4, 5].flatMap((number) => rows(`${vendor}.${number}.1`)),
    '1.3.6.1.4.1.64000.1.1.0|2|1',
  ].join('\n'),
);

/** Has a label, and two values that other columns would show first. */
const labelled = (number: number) =>
  `V-MIB::t${number}: { index: [{ type: Integer, name: v${number}, syntax: IntegerAsID }], discovery_attribute: state, attributes: { state: { oid: ${vendor}.${number}.1.9, syntax: Integer32 }, label: { oid: ${vendor}.${number}.1.1, syntax: DisplayString }, a: { oid: ${vendor}.${number}.1.2, name: v${number}.a, syntax: Gauge32, metric: gauge }, b: { oid: ${vendor}.${number}.1.3, name: v${number}.b, syntax: Gauge32, metric: gauge } } }\n`;

const objects = [
  table(1),
  table(2, 'replaces: [V-MIB::t3],'),
  table(3),
  table(4, 'collect: on_request,'),
  table(6),
  table(7, '', '1.3.6.1.4.1.62000'),
  labelled(8),
  labelled(9),
].join('');

interface Given {
  readonly group?: string;
  readonly knobs?: Partial<ReplayKnobs>;
  readonly options?: object;
  readonly version?: string;
  readonly answers?: typeof recording;
  readonly definitions?: string;
}

async function discover(test: TestContext, given: Given = {}) {
  const {
    group = '{ objects: auto }',
    knobs = {},
    options = {},
    version = '2c',
    answers = recording,
    definitions = objects,
  } = given;
  const agent = await startReplayAgent({ recording: answers, knobs });
  test.after(() => agent.close());
  const folder = new DefinitionFolder(test, {
    'objects/vendor.yml': definitions,
    'device_groups/groups.yml': `auto: ${group}\n`,
  });
  folder.write(
    'devices/all.yml',
    `d: { ip: 127.0.0.1, port: ${agent.port}, version: ${version}, communities: [public], timeout: 300, retries: 0, device_groups: [auto] }\n`,
  );
  const stack = await startDiscovery(test, folder, options);
  await stack.settle();
  const found = () => stack.discovery.findInventory(stack.device('d'));
  const ids = () => [...(found()?.objects.keys() ?? [])].map((id) => id.split('::')[1]);
  const apply = async (forceRediscovery: boolean) => {
    stack.heard.length = 0;
    const before = agent.counters.requests;
    const result = await stack.definitions.apply({ forceRediscovery, requestedBy: 'test' });
    await stack.settle();
    assert.ok(result.accepted, JSON.stringify(result));
    return { affected: result.affectedDevices.length, requests: agent.counters.requests - before };
  };
  return { ...stack, agent, folder, found, ids, apply };
}

describe('a device with `objects: auto`', () => {
  it('collects what it answers, and its inventory says what it leaves out', async (t) => {
    const { found, ids } = await discover(t);
    assert.deepEqual(ids(), ['system', 't1', 't2']);
    assert.deepEqual(found()?.auto, {
      roots: ['1.3.6.1.2.1.1', vendor, '1.3.6.1.4.1.64000'],
      uncollected: ['1.3.6.1.4.1.64000'],
      leftOut: { 'V-MIB::t3': 'replaced by V-MIB::t2' },
    });
  });

  it('has the rows of a table without its discovery column, but not of one that has labels alone', async (t) => {
    const oids = [`${vendor}.8.1.1.1`, `${vendor}.8.1.3.1`, `${vendor}.8.1.3.2`, `${vendor}.9.1.1.1`];
    const answers = parseRecording(
      ['1.3.6.1.2.1.1.3.0|67|100', ...oids.map((oid) => `${oid}|2|7`)].join('\n'),
    );
    const { found, ids } = await discover(t, { answers });
    assert.deepEqual(ids(), ['system', 't8']);
    const inventory = found()!;
    assert.deepEqual(inventory.objects.get('V-MIB::t8')!.instances, ['1', '2']);
    assert.equal(inventory.objects.get('V-MIB::t8')!.partial, undefined);
    assert.equal(inventory.auto!.leftOut['V-MIB::t9'], 'no_rows');
  });

  it('collects what an object would replace when every row of that object is filtered out', async (t) => {
    const filtered = (number: number, keys: string) =>
      table(number, `${keys} discovery_attribute: a, rows: { where: { b: { except: [7] } } },`);
    const definitions = [
      filtered(1, 'replaces: [V-MIB::t2, V-MIB::t3],'),
      filtered(2, 'replaces: [V-MIB::t3],'),
      table(3),
    ].join('');
    const { found, ids, folder, apply } = await discover(t, { definitions });
    assert.deepEqual(ids(), ['system', 't3']);
    const leftOut = { 'V-MIB::t1': 'no_rows', 'V-MIB::t2': 'no_rows' };
    assert.deepEqual(found()?.auto?.leftOut, leftOut);
    assert.deepEqual(found()?.auto?.uncollected, ['1.3.6.1.4.1.64000']);
    // A changed filter chooses again, in both directions.
    folder.write('objects/vendor.yml', definitions.replace('except: [7]', 'except: [8]'));
    await apply(true);
    assert.deepEqual(ids(), ['system', 't1']);
    folder.write('objects/vendor.yml', definitions);
    await apply(true);
    assert.deepEqual(ids(), ['system', 't3']);
    assert.deepEqual(found()?.auto?.leftOut, leftOut);
  });

  it('is told why it lacks an object or a root with the words of `waywiser coverage`', async (t) => {
    const group = '{ objects: [auto], without: ["V-MIB::t1"] }';
    const options = { max_values_per_minute: 2 };
    const { found, definitions } = await discover(t, { group, options });
    const { catalog, sections, number } = definitions.current;
    const wish = wishOf([sections.deviceGroups.get('auto')!]);
    const tally = new CoverageTally(knownIn(sections));
    for (let position = 0; position < recording.size; position++) {
      const { entries } = recording;
      tally.add(entries.subarray(recording.oidStartOf(position), recording.oidEndOf(position)));
    }
    const coverage = tally.finish(wish, { maxValuesPerMinute: 2, maxPacketsPerMinute: 6_000 });
    const explained = coverage.elsewhere.map(({ object }) => {
      const { why, by } = findNotCollected(catalog.objects.get(object)!, 'd', wish, found(), {
        catalog,
        number,
      })!;
      return { object, why: by === undefined ? why : `${why} by ${by}` };
    });
    assert.deepEqual(
      explained,
      coverage.elsewhere.map(({ object, why }) => ({ object, why })),
    );
    const words = explained.map(({ object, why }) => `${object.split('::')[1]} ${why}`);
    assert.deepEqual(words.sort(), ['t1 without', 't2 budget', 't3 replaced by V-MIB::t2', 't4 on_request']);
    const roots = new RootReasons(catalog, () => wish).explain(found()!.auto!, []);
    assert.deepEqual(
      roots,
      coverage.uncollectedRoots.map(({ oid, why }) => ({ root: oid, why })),
    );
    assert.equal(roots.length, 2);
  });

  it('collects what its group names, and not what the group leaves out', async (t) => {
    const group = '{ objects: [auto, "V-MIB::t4", "V-MIB::t6"], without: ["V-MIB::t2"] }';
    const { found, ids } = await discover(t, { group });
    assert.deepEqual(ids(), ['system', 't1', 't3', 't4']);
    assert.deepEqual(found()?.auto?.leftOut, {});
  });

  it('keeps the cheapest objects within its budget, and tells the others', async (t) => {
    // Two rows of two attributes each per table, and two scalars.
    const { found, ids } = await discover(t, { options: { max_values_per_minute: 7 } });
    assert.deepEqual(ids(), ['system', 't1']);
    assert.equal(found()?.auto?.leftOut['V-MIB::t2'], 'budget');
    const named = await discover(t, {
      group: '{ objects: [auto, "V-MIB::t2"] }',
      options: { max_packets_per_minute: 1 },
    });
    assert.deepEqual(named.ids(), ['t2']);
  });

  it('is found by SNMPv1 and where single requests stay without an answer', async (t) => {
    const v1 = await discover(t, { version: '1' });
    assert.deepEqual(v1.ids(), ['system', 't1', 't2']);
    const silent = await discover(t, { knobs: { silentUnder: [`${vendor}.5`] } });
    assert.deepEqual(silent.ids(), ['system', 't1', 't2']);
  });

  it('is found although its agent repeats OIDs', async (t) => {
    const jumps = [{ after: `${vendor}.5.1.3.2`, to: '1.3.6.1.2.1.1.1.0' }];
    const { ids } = await discover(t, { knobs: { jumps } });
    assert.deepEqual(ids(), ['system', 't1', 't2']);
  });
});

describe('new definitions and `objects: auto`', () => {
  it('rediscover with force what has a changed object, and ask for that alone', async (t) => {
    const { folder, heard, ids, apply } = await discover(t);
    folder.write('objects/vendor.yml', objects.replace('name: v1.a', 'name: v1.other'));
    assert.deepEqual(await apply(false), { affected: 1, requests: 0 });
    folder.write('objects/vendor.yml', objects);
    const { affected, requests } = await apply(true);
    assert.equal(affected, 1);
    assert.deepEqual(heard, ['completed d forced']);
    assert.ok(requests <= 5, `${requests} requests`);
    assert.deepEqual(ids(), ['system', 't1', 't2']);
  });

  it('affect a device for a new object below its roots, and for no other', async (t) => {
    const { folder, heard, ids, apply } = await discover(t);
    folder.write('objects/elsewhere.yml', table(8, '', '1.3.6.1.4.1.62000'));
    assert.equal((await apply(true)).affected, 0);
    folder.write('objects/more.yml', table(9, 'collect: on_request,'));
    assert.equal((await apply(true)).affected, 0);
    folder.write('objects/more.yml', table(5));
    const { affected, requests } = await apply(true);
    assert.equal(affected, 1);
    assert.ok(requests <= 5, `${requests} requests`);
    assert.deepEqual(heard, ['completed d forced']);
    assert.deepEqual(ids().sort(), ['system', 't1', 't2', 't5']);
  });

  it('leave a device alone whose inventory does not hold the object, and that keeps what it left out', async (t) => {
    const { folder, ids, apply } = await discover(t);
    folder.write('objects/vendor.yml', objects.replace('name: v6.a', 'name: v6.other'));
    assert.equal((await apply(true)).affected, 0);
    // The replacing object is gone: the one that it replaced is collected.
    folder.write('objects/vendor.yml', objects.replace(table(2, 'replaces: [V-MIB::t3],'), ''));
    assert.equal((await apply(true)).affected, 1);
    assert.deepEqual(ids(), ['system', 't1', 't3']);
  });
});
