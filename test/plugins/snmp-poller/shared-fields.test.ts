import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { gapAt, rowsOf } from '../../../src/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const table = '1.3.6.1.4.1.32473.78.1';
const system = '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473\n1.3.6.1.2.1.1.3.0|67|1000';

/** Two objects of one record. Their attributes in column 3 and 4 write the same field, and the later one is better. */
function sharedField(syntax: string, more: string, better = '') {
  return `SHARED-MIB::first:
  index: [{ type: Integer, oid: .${table}.1, name: row, syntax: Integer }]
  discovery_attribute: id
  attributes:
    id: { oid: .${table}.2, name: id, syntax: Integer }
    worse: { oid: .${table}.3, name: shared, syntax: ${syntax}${more} }
SHARED-MIB::second:
  augments: SHARED-MIB::first
  ${better}
  discovery_attribute: id2
  attributes:
    id2: { oid: .${table}.5, name: id2, syntax: Integer }
    better: { oid: .${table}.4, name: shared, syntax: ${syntax}${more} }
`;
}

async function start(t: TestContext, objects: string, lines: readonly string[]) {
  const rows = [1, 2, 3].flatMap((row) => [`${table}.2.${row}|2|${row}`, `${table}.5.${row}|2|${row}`]);
  const recording = parseRecording([system, ...rows, ...lines].join('\n'));
  const agent = await startReplayAgent({ recording });
  agent.set({ hasMovingUptime: true });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t, {
    'objects/shared.yml': objects,
    'defaults/object_types.yml': 'seldom: { poll_interval: 3600 }\n',
    'object_groups/groups.yml': 'all: { objects: [SHARED-MIB::first, SHARED-MIB::second] }\n',
    'device_groups/groups.yml': 'all: { object_groups: [all] }\n',
  });
  folder.writeDevices([{ name: 'dev', port: agent.port, groups: 'device_groups: [all]' }]);
  const stack = await startPolling(t, folder);
  await stack.discovered();
  return { ...stack, agent };
}

/** Row 1 has both columns, row 2 only the worse one, row 3 none. */
const answers = (type: number) => [
  `${table}.3.1|${type}|31`,
  `${table}.3.2|${type}|32`,
  `${table}.4.1|${type}|41`,
];

describe('a field that two attributes write', () => {
  it('has the value of the better one in each row, else that of the other one', async (t) => {
    const { poll, poller, device } = await start(t, sharedField('Integer', ''), answers(2));
    const [batch] = await poll('dev');
    assert.deepEqual(
      [...rowsOf(batch!)].map(({ values }) => values['shared']),
      [41, 32, undefined],
    );
    const column = batch!.columns.find(({ field }) => field === 'shared')!;
    assert.equal(gapAt(column, 2), 'noSuchInstance');
    const explain = (object: string, attribute: string, instance: string) =>
      poller.explain(device('dev'), { object, attribute, instance }).reading?.fields[0];
    assert.equal(explain('SHARED-MIB::second', 'better', '1')?.value, 41);
    assert.equal(explain('SHARED-MIB::first', 'worse', '1')?.gap, 'overridden');
    assert.equal(explain('SHARED-MIB::first', 'worse', '2')?.value, 32);
  });

  it('has rates of the attribute that wrote it', async (t) => {
    const { poll, agent } = await start(t, sharedField('Counter32', ', metric: counter'), answers(65));
    const first = await poll('dev');
    agent.set({
      values: [
        { under: `${table}.3.1`, at: () => 1_000_031 },
        { under: `${table}.3.2`, at: () => 2_000_032 },
        { under: `${table}.4.1`, at: () => 3_000_041 },
      ],
    });
    // The device's clock has hundredths of a second.
    await new Promise((resolve) => setTimeout(resolve, 30));
    const [batch] = await poll('dev');
    assert.equal(first.length, 1);
    const rates = [...rowsOf(batch!)].map(({ values }) => values['shared_rate'] as number);
    assert.equal((rates[0]! / rates[1]!).toFixed(6), '1.500000');
    assert.equal(rates[2], undefined);
  });

  it('is a label with the value of the better one in each row', async (t) => {
    const { poll } = await start(t, sharedField('DisplayString', ', tag: true'), answers(4));
    const [batch] = await poll('dev');
    assert.deepEqual(batch!.rows.labels['shared'], ['41', '32', undefined]);
  });

  it('comes from the plan of the attribute that has a value in the row', async (t) => {
    const { poll } = await start(t, sharedField('Integer', '', 'type: seldom'), answers(2));
    const byPlan = Object.fromEntries(
      (await poll('dev')).map((batch) => [
        batch.plan,
        [...rowsOf(batch)].map(({ values }) => values['shared']),
      ]),
    );
    assert.deepEqual(byPlan, {
      'every-60s': [undefined, 32, undefined],
      'every-3600s': [41, undefined, undefined],
    });
  });
});

describe('a row of which only labels are answered', () => {
  it('is kept when nothing else in the plan has a value', async (t) => {
    const objects = `SHARED-MIB::first:
  type: seldom
  index: [{ type: Integer, oid: .${table}.1, name: row, syntax: Integer }]
  discovery_attribute: name
  attributes:
    name: { oid: .${table}.2, name: name, syntax: Integer, tag: true }
    absent: { oid: .${table}.9, name: absent, syntax: Integer }
SHARED-MIB::second:
  attributes:
    sysDescr: { oid: .1.3.6.1.2.1.1.1, name: description, syntax: DisplayString, tag: true }
`;
    const { poll, output, poller, collector } = await start(t, objects, ['1.3.6.1.2.1.1.1.0|4|a device']);
    const failed: string[] = [];
    collector.events.on('poll.failed', ({ plan }) => void failed.push(plan));
    const batches = await poll('dev');
    assert.deepEqual(batches.map(({ record, rows }) => [record, rows.count, rows.labels]).sort(), [
      ['SHARED-MIB::first', 3, { row: ['1', '2', '3'], name: ['1', '2', '3'] }],
      ['SHARED-MIB::second', 1, { description: ['a device'] }],
    ]);
    assert.ok(output.batches.length >= 2);
    assert.deepEqual(failed, []);
    assert.equal(poller.counters().failedPolls, 0);
  });
});
