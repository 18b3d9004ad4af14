import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PlanMemory } from '../../../../plugins/snmp-poller/device/plan-memory.ts';
import { compilePlans } from '../../../../plugins/snmp-poller/plan/compile-plan.ts';
import { RecordAssembler } from '../../../../plugins/snmp-poller/record/record-assembler.ts';
import { compileDefinitions, type RawDefinitions, rawTag } from '../../../../src/definitions/index.ts';
import { type Batch, gapReasons, valueAt } from '../../../../src/index.ts';
import { runToEnd } from '../../../../src/timing/slices.ts';

const objects = {
  'T::entry': {
    mib: 'T',
    object: 'entry',
    index: [{ type: 'Integer', oid: '.1.3.6.1.4.1.1.1', name: 'row', syntax: 'Unsigned32' }],
    discovery_attribute: 'octets',
    attributes: {
      octets: { oid: '.1.3.6.1.4.1.1.2', name: 'octets', syntax: 'Counter64', metric: 'counter' },
    },
  },
};

/** A plan of one table with two rows of one counter, and what a device answers. */
function setUp(wanted = { raw: true, delta: false, rate: false }) {
  const kinds = { objects: new Map(Object.entries(objects)) };
  const raw = new Proxy({}, { get: (_, kind) => kinds[kind as keyof typeof kinds] ?? new Map() });
  const { definitions } = compileDefinitions(raw as RawDefinitions);
  const known = { hash: '', instances: ['1', '2'], overriding: {} };
  const object = { object: definitions.objects.get('T::entry')!, known, everyMs: 60_000 };
  const shape = { key: '', dialect: { version: '2c', community: 'c' }, maxOids: undefined } as const;
  const [plan] = runToEnd(compilePlans({ ...shape, objects: [object] }, definitions));
  const memory = new PlanMemory(plan!);
  const assembler = new RecordAssembler(wanted);
  const [record] = memory.records;
  /** Undefined: the value is missing. */
  const poll = (at: number, values: readonly (number | undefined)[]): Batch => {
    const columns = memory.begin();
    const { firstSlot } = plan!.records[0]!.columns[0]!.sources[0]!;
    for (const [row, value] of values.entries()) {
      columns.status[firstSlot + row] = value === undefined ? 0x80 : rawTag.counter64;
      columns.words[2 * (firstSlot + row)] = value ?? 0;
    }
    const counts = new Uint32Array(gapReasons.length);
    const finished = {
      columns,
      readsForeign: true,
      names: { unnamed: 0 },
      at: { localMs: at, upTicks: undefined, boots: undefined },
    };
    const assembled = runToEnd(assembler.assemble(record!, finished, counts));
    memory.keep(columns, at, assembler.holdsBatches);
    const batch = { ...head, slotMs: at, ...assembled };
    record!.latest = assembler.keep(batch, record!.plan, memory.last!);
    return batch;
  };
  return { memory, record: record!, poll };
}

const head = {
  device: { name: 'd', ip: '::1', port: 1 },
  tags: {},
  plan: '',
  generation: 1,
  sequence: 1,
  timeMs: 0,
};
const octetsOf = ({ columns }: Batch, field = 'octets') =>
  [0, 1].map((row) => valueAt(columns.find((column) => column.field === field)!, row));

describe('the values that are kept from poll to poll', () => {
  it('are those of the last poll, and leave earlier batches as they were', () => {
    const { record, poll } = setUp();
    const first = poll(0, [1, 2]);
    const asked = record.latest!();
    poll(60_000, [10, 20]);
    assert.deepEqual(octetsOf(first), [1, 2]);
    assert.deepEqual(octetsOf(asked), [1, 2]);
    assert.deepEqual(octetsOf(record.latest!()), [10, 20]);
  });

  it('share no memory with batches, which would be as long in use', () => {
    const { memory, poll } = setUp();
    for (const batch of [poll(0, [1, 2]), poll(60_000, [10, 20])]) {
      const [column] = batch.columns;
      assert.equal(column?.kind, 'counter');
      assert.notEqual(column.kind === 'counter' && column.words.buffer, memory.last!.words.buffer);
    }
  });

  it('are in the same memory for every poll', () => {
    const { memory, poll } = setUp();
    poll(0, [1, 2]);
    const kept = memory.last;
    poll(60_000, [10, 20]);
    assert.equal(memory.last, kept);
  });

  it('are counters for the next difference, also after a poll without any', () => {
    const { record, poll } = setUp();
    poll(0, [1, 2]);
    poll(60_000, [undefined, undefined]);
    const { words, at } = record.counters!;
    assert.deepEqual([at.localMs, words.filter((word) => word > 0)], [0, new Uint32Array([1, 2])]);
    poll(120_000, [10, 20]);
    assert.deepEqual(record.counters!.at.localMs, 120_000);
    assert.deepEqual(
      record.counters!.words.filter((word) => word > 0),
      new Uint32Array([10, 20]),
    );
  });

  it('give differences where these are wanted', () => {
    const { poll } = setUp({ raw: true, delta: true, rate: true });
    poll(0, [1, 2]);
    const second = poll(60_000, [61, 122]);
    assert.deepEqual(octetsOf(second, 'octets_delta'), [60, 120]);
    poll(120_000, [undefined, undefined]);
    assert.deepEqual(octetsOf(poll(180_000, [181, 362]), 'octets_rate'), [1, 2]);
    assert.deepEqual(octetsOf(second, 'octets'), [61, 122]);
  });
});
