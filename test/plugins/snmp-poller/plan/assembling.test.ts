import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PlanMemory } from '../../../../plugins/snmp-poller/device/plan-memory.ts';
import { compilePlans } from '../../../../plugins/snmp-poller/plan/compile-plan.ts';
import type { ShapeObject } from '../../../../plugins/snmp-poller/plan/device-shape.ts';
import type { PollPlan } from '../../../../plugins/snmp-poller/plan/poll-plan.ts';
import { RecordAssembler } from '../../../../plugins/snmp-poller/record/record-assembler.ts';
import { compileDefinitions, type RawDefinitions } from '../../../../src/definitions/index.ts';
import { gapReasons, rowsOf } from '../../../../src/index.ts';
import { runToEnd } from '../../../../src/timing/slices.ts';

const attribute = (column: number, name: string, more = {}) => ({
  oid: `.1.3.6.1.4.1.1.${column}`,
  name,
  syntax: 'Unsigned32',
  ...more,
});

/** A table, an object that augments it and overrides one of its columns, and an object with a longer interval that writes a label. */
const objects = {
  'T::base': {
    mib: 'T',
    object: 'base',
    index: [{ type: 'Integer', oid: '.1.3.6.1.4.1.1.1', name: 'row', syntax: 'Unsigned32' }],
    discovery_attribute: 'plain',
    attributes: { plain: attribute(2, 'plain'), small: attribute(3, 'size') },
  },
  'T::more': {
    mib: 'T',
    object: 'more',
    augments: 'T::base',
    discovery_attribute: 'extra',
    attributes: {
      extra: attribute(4, 'extra'),
      big: attribute(5, 'size', { overrides: { object: 'T::base', attribute: 'small' } }),
    },
  },
  'T::slow': {
    mib: 'T',
    object: 'slow',
    augments: 'T::base',
    type: 'slow',
    discovery_attribute: 'colour',
    attributes: { colour: attribute(6, 'colour', { tag: true }) },
  },
};

const definitions = compile();

function compile() {
  const empty = new Map();
  const kinds = {
    objects: new Map(Object.entries(objects)),
    objectTypes: new Map([['slow', { poll_interval: 300 }]]),
  };
  const raw = new Proxy({}, { get: (_, kind) => kinds[kind as keyof typeof kinds] ?? empty });
  const { definitions, problems } = compileDefinitions(raw as RawDefinitions);
  assert.deepEqual(problems, []);
  return definitions;
}

const instances = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
const table = fc.record({
  base: instances,
  more: instances,
  slow: instances,
  big: instances,
  lost: instances,
});
type Table = { readonly [Name in 'base' | 'more' | 'slow' | 'big' | 'lost']: readonly number[] };

function shapeOf({ base, more, slow, big }: Table): ShapeObject[] {
  const sorted = (rows: readonly number[]) => rows.toSorted((a, b) => a - b).map(String);
  const positions = sorted(more).flatMap((row, at) => (big.includes(Number(row)) ? [at] : []));
  const known = (rows: readonly number[], overriding = {}) => ({
    hash: '',
    instances: sorted(rows),
    overriding,
  });
  const object = (id: string) => definitions.objects.get(id)!;
  return [
    { object: object('T::base'), known: known(base), everyMs: 60_000 },
    { object: object('T::more'), known: known(more, { big: positions }), everyMs: 60_000 },
    { object: object('T::slow'), known: known(slow), everyMs: 300_000 },
  ].filter(({ known }) => known.instances.length > 0);
}

/** The device's values: a number for each column and row, and none in lost rows. */
const numberAt = (column: number, row: number) => 1000 * column + row;

function answer(plan: PollPlan, memory: PlanMemory, lost: readonly number[]) {
  const columns = memory.begin();
  for (const { columns: oids, instances, firstSlot } of plan.reads) {
    for (const [c, oid] of oids.entries()) {
      for (const [r, instance] of instances.entries()) {
        const slot = firstSlot + c * instances.length + r;
        const isThere = oid.startsWith('1.3.6.1.4.1.1.') && !lost.includes(Number(instance));
        columns.status[slot] = isThere ? 0x42 : 0x81;
        if (isThere) columns.words[2 * slot] = numberAt(Number(oid.slice(14)), Number(instance));
      }
    }
  }
  return columns;
}

const head = {
  device: { name: 'd', ip: '::1', port: 1 },
  tags: {},
  plan: '',
  generation: 1,
  sequence: 1,
  slotMs: 0,
  timeMs: 0,
};

describe('planning and assembling a table with missing rows', () => {
  it('puts every value into its row and field, and prefers the overriding attribute', () => {
    fc.assert(
      fc.property(table, (facts) => {
        const shape = { key: '', dialect: { version: '1', community: 'c' }, maxOids: undefined } as const;
        const plans = runToEnd(compilePlans({ ...shape, objects: shapeOf(facts) }, definitions));
        const plan = plans.find(({ everyMs }) => everyMs === 60_000);
        if (plan === undefined) return;
        const memory = new PlanMemory(plan);
        const poll = {
          columns: answer(plan, memory, facts.lost),
          readsForeign: true,
          names: { unnamed: 0 },
          at: { localMs: 0, upTicks: undefined, boots: undefined },
        };
        const counts = new Uint32Array(gapReasons.length);
        const assembler = new RecordAssembler({ raw: true, delta: false, rate: false });
        const batch = runToEnd(assembler.assemble(memory.records[0]!, poll, counts));
        const rows = new Map(
          [...rowsOf({ ...head, ...batch })].map((row) => [Number(row.labels['row']), row]),
        );
        assert.deepEqual([...rows.keys()].sort(), [...new Set([...facts.base, ...facts.more])].sort());
        let values = 0;
        for (const [row, { values: found, labels }] of rows) {
          const has = (name: 'base' | 'more' | 'slow') =>
            facts[name].includes(row) && !facts.lost.includes(row);
          const isBig = has('more') && facts.big.includes(row);
          const expected = {
            ...(has('base') ? { plain: numberAt(2, row) } : {}),
            ...(isBig ? { size: numberAt(5, row) } : has('base') ? { size: numberAt(3, row) } : {}),
            ...(has('more') ? { extra: numberAt(4, row) } : {}),
          };
          assert.deepEqual(found, expected);
          assert.equal(labels['colour'], has('slow') ? String(numberAt(6, row)) : undefined);
          values += Object.keys(expected).length;
        }
        assert.equal(counts[0], values);
      }),
      { numRuns: 300 },
    );
  });

  it('requests no overridden value, and no value twice', () => {
    fc.assert(
      fc.property(table, (facts) => {
        const shape = { key: '', dialect: { version: '2c', community: 'c' }, maxOids: undefined } as const;
        for (const plan of runToEnd(compilePlans({ ...shape, objects: shapeOf(facts) }, definitions))) {
          const asked = plan.reads.flatMap(({ columns, instances }) =>
            columns.flatMap((column) => instances.map((instance) => `${column}.${instance}`)),
          );
          assert.equal(new Set(asked).size, asked.length);
          const overridden = facts.more.filter((row) => facts.big.includes(row));
          for (const row of overridden) assert.ok(!asked.includes(`1.3.6.1.4.1.1.3.${row}`));
          const requested = [...plan.requests, ...plan.labelRequests].reduce(
            (sum, { count }) => sum + count,
            0,
          );
          assert.equal(requested, asked.length);
        }
      }),
    );
  });

  it('works in steps, so that a table of 20,000 rows leaves the event loop to others', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => i + 1);
    const shape = { key: '', dialect: { version: '2c', community: 'c' }, maxOids: undefined } as const;
    const long = { base: rows, more: rows, slow: [], big: [], lost: [] };
    const compiling = countSteps(compilePlans({ ...shape, objects: shapeOf(long) }, definitions));
    // Labels in steps of 1,000 rows, requests in steps of 8,192 values, and one step per column.
    assert.ok(compiling.steps >= 20 + 10 + 3, `${compiling.steps} steps to compile`);
    const [plan] = compiling.result;
    const memory = new PlanMemory(plan!);
    const poll = {
      columns: answer(plan!, memory, []),
      readsForeign: true,
      names: { unnamed: 0 },
      at: { localMs: 0, upTicks: undefined, boots: undefined },
    };
    const counts = new Uint32Array(gapReasons.length);
    const assembler = new RecordAssembler({ raw: true, delta: false, rate: false });
    const assembling = countSteps(assembler.assemble(memory.records[0]!, poll, counts));
    assert.ok(assembling.steps >= plan!.records[0]!.columns.length, `${assembling.steps} steps to assemble`);
    assert.equal(counts[0], 3 * rows.length);
  });
});

function countSteps<Result>(work: Generator<void, Result>): { steps: number; result: Result } {
  for (let steps = 0; ; steps++) {
    const step = work.next();
    if (step.done === true) return { steps, result: step.value };
  }
}
