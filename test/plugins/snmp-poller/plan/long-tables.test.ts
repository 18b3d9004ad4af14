import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compilePlans } from '../../../../plugins/snmp-poller/plan/compile-plan.ts';
import type { ShapeObject } from '../../../../plugins/snmp-poller/plan/device-shape.ts';
import { compileDefinitions, type RawDefinitions } from '../../../../src/definitions/index.ts';

const rows = 40_000;

const attribute = (column: number, more = {}) => ({
  oid: `.1.3.6.1.4.1.1.${column}`,
  name: `field${column}`,
  syntax: 'Unsigned32',
  ...more,
});

/** Two objects of one record. The second one overrides a column of the first one in some rows. */
const objects = {
  'T::base': {
    mib: 'T',
    object: 'base',
    index: [{ type: 'Integer', oid: '.1.3.6.1.4.1.1.1', name: 'row', syntax: 'Unsigned32' }],
    discovery_attribute: 'a2',
    attributes: { a2: attribute(2), a3: attribute(3), a4: attribute(4, { tag: true }) },
  },
  'T::more': {
    mib: 'T',
    object: 'more',
    augments: 'T::base',
    discovery_attribute: 'a5',
    attributes: {
      a5: attribute(5),
      a6: { ...attribute(6, { overrides: { object: 'T::base', attribute: 'a3' } }), name: 'field3' },
    },
  },
};

/** A list that counts how often one of its entries is read. */
function countReads(list: readonly string[]): { readonly list: readonly string[]; take(): number } {
  let count = 0;
  const counted = new Proxy(list, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) count++;
      return Reflect.get(target, key) as unknown;
    },
  });
  return {
    list: counted,
    take() {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}

it('plans of a table with 40,000 rows are compiled in steps of a few passes over its rows at most', () => {
  const empty = new Map();
  const raw = new Proxy(
    {},
    { get: (_, kind) => (kind === 'objects' ? new Map(Object.entries(objects)) : empty) },
  );
  const { definitions, problems } = compileDefinitions(raw as RawDefinitions);
  assert.deepEqual(problems, []);
  const instances = countReads(Array.from({ length: rows }, (_, row) => String(row + 1)));
  const some = Array.from({ length: rows / 2 }, (_, i) => 2 * i);
  const shape: ShapeObject[] = ['T::base', 'T::more'].map((id) => ({
    object: definitions.objects.get(id)!,
    known: { hash: '', instances: instances.list, overriding: id === 'T::more' ? { a6: some } : {} },
    everyMs: 60_000,
  }));
  const work = compilePlans(
    { key: '', dialect: { version: '2c', community: 'public' }, maxOids: undefined, objects: shape },
    definitions,
  );
  let steps = 0;
  let most = 0;
  for (; !work.next().done; steps++) most = Math.max(most, instances.take());
  assert.ok(most <= 3 * rows, `${most} rows in one step`);
  assert.ok(steps >= 100, `${steps} steps`);
});
