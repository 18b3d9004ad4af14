import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  compareInventories,
  decodeInventory,
  encodeInventory,
  type Inventory,
  type ObjectInventory,
  writeInventory,
} from '../../src/model/inventory.ts';
import { runToEnd } from '../../src/timing/slices.ts';

const object: fc.Arbitrary<ObjectInventory> = fc.record(
  {
    hash: fc.string(),
    instances: fc.uniqueArray(fc.nat(50).map(String)),
    overriding: fc.dictionary(
      fc.constantFrom('ifHCInOctets', 'ifHighSpeed'),
      fc.oneof(fc.constant(true as const), fc.array(fc.nat(9))),
      { noNullPrototype: true },
    ),
  },
  { noNullPrototype: true },
);

const inventory: fc.Arbitrary<Inventory> = fc.record(
  {
    version: fc.nat(),
    discoveredMs: fc.nat(),
    generation: fc.nat(),
    sysObjectId: fc.option(fc.constant('1.3.6.1.4.1.9.1.1'), { nil: undefined }),
    sysUpTime: fc.option(fc.nat(), { nil: undefined }),
    address: fc.constant('192.0.2.1'),
    credential: fc.nat(3),
    deviceGroups: fc.array(fc.string()),
    objects: fc
      .array(fc.tuple(fc.constantFrom('A::a', 'B::b', 'C::c'), object))
      .map((entries) => new Map(entries)),
  },
  { noNullPrototype: true },
);

describe('an inventory', () => {
  it('is the same after a round trip through JSON', () => {
    fc.assert(
      fc.property(inventory, (before) => {
        assert.deepEqual(decodeInventory(JSON.parse(JSON.stringify(encodeInventory(before)))), before);
        assert.deepEqual(decodeInventory(JSON.parse([...writeInventory(before)].join(''))), before);
      }),
    );
  });

  it('keeps the objects of further contexts', () => {
    fc.assert(
      fc.property(inventory, inventory, (one, { objects }) => {
        const before = { ...one, contexts: new Map([['blue', objects]]) };
        assert.deepEqual(decodeInventory(JSON.parse(JSON.stringify(encodeInventory(before)))), before);
        assert.deepEqual(decodeInventory(JSON.parse([...writeInventory(before)].join(''))), before);
        const counted = runToEnd(compareInventories(one, before)).added;
        for (const [id, { instances }] of objects) {
          if (new Set(instances).size > 0) assert.equal(counted[`blue/${id}`], instances.length);
        }
      }),
    );
  });

  it('is not decoded from other values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(decodeInventory(value), undefined);
      }),
    );
  });

  it('is not decoded from a later version that uses the same keys differently', () => {
    const object = { hash: 'h', instances: ['1'], overriding: { a: true, b: [0] } };
    const good = {
      version: 1,
      discoveredMs: 1,
      generation: 1,
      address: '192.0.2.1',
      credential: 0,
      deviceGroups: ['a'],
      objects: [['A::a', object]],
    };
    assert.notEqual(decodeInventory(good), undefined);
    for (const [key, value] of [
      ['discoveredMs', '2026-01-01'],
      ['discoveredMs', undefined],
      ['generation', null],
      ['sysObjectId', 7],
      ['sysUpTime', '1 day'],
      ['objects', [['A::a', { ...object, overriding: { a: 'all' } }]]],
      ['objects', [['A::a', { ...object, overriding: { a: ['1'] } }]]],
    ] as const) {
      assert.equal(decodeInventory({ ...good, [key]: value }), undefined, `${key}: ${JSON.stringify(value)}`);
    }
  });

  it('counts added and removed instances so that the sums agree', () => {
    fc.assert(
      fc.property(inventory, inventory, (before, after) => {
        const { added, removed, instances } = runToEnd(compareInventories(before, after));
        const sum = (counts: Readonly<Record<string, number>>) =>
          Object.values(counts).reduce((a, b) => a + b, 0);
        const had = [...before.objects.values()].reduce((total, each) => total + each.instances.length, 0);
        assert.equal(had + sum(added) - sum(removed), instances);
        assert.deepEqual(runToEnd(compareInventories(after, after)).added, {});
      }),
    );
  });

  it('counts every instance as added the first time', () => {
    const objects = new Map([['IF-MIB::ifEntry', { hash: 'x', instances: ['1', '2'], overriding: {} }]]);
    const first: Inventory = {
      version: 1,
      discoveredMs: 0,
      generation: 1,
      sysObjectId: undefined,
      sysUpTime: undefined,
      address: '192.0.2.1',
      credential: 0,
      deviceGroups: [],
      objects,
    };
    assert.deepEqual(runToEnd(compareInventories(undefined, first)), {
      objects: 1,
      instances: 2,
      added: { 'IF-MIB::ifEntry': 2 },
      removed: {},
    });
  });
});
