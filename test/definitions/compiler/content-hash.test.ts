import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { diffDefinitions } from '../../../src/definitions/changes/definition-diff.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { RawDefinitions, RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { sample } from './raw-set.ts';

const before = compileDefinitions(sample).definitions;

/** The ids that change, by kind; kinds without changes are left out. */
function changedBy(raw: RawDefinitions): Record<string, readonly string[]> {
  const changes = diffDefinitions(before, compileDefinitions(raw).definitions);
  return Object.fromEntries(
    Object.entries(changes).flatMap(([kind, { added, changed, removed }]) => {
      const ids = [...added.map((id) => `+${id}`), ...changed, ...removed.map((id) => `-${id}`)];
      return ids.length === 0 ? [] : [[kind, ids]];
    }),
  );
}

function withEntry<Kind extends keyof RawDefinitions>(
  kind: Kind,
  id: string,
  entry: unknown,
): RawDefinitions {
  return { ...sample, [kind]: new Map<string, unknown>(sample[kind]).set(id, entry) };
}

function withObject(id: string, more: Partial<Record<keyof RawObject, unknown>>): RawDefinitions {
  return withEntry('objects', id, { ...sample.objects.get(id), ...more });
}

function withAttribute(id: string, name: string, more: object): RawDefinitions {
  const { attributes } = sample.objects.get(id)!;
  return withObject(id, { attributes: { ...attributes, [name]: { ...attributes[name], ...more } } });
}

const ifEntry = 'IF-MIB::ifEntry';
const ifXEntry = 'IF-MIB::ifXEntry';
const portEntry = 'VENDOR-MIB::portEntry';
const system = 'SNMPv2-MIB::system';
const allInterfaces = {
  objects: [ifEntry, ifXEntry, portEntry],
  objectGroups: ['interfaces', 'vendor'],
  deviceGroups: ['generic', 'vendor'],
};
const twoInterfaces = { ...allInterfaces, objects: [ifXEntry, portEntry] };
const oneInterface = { objects: [portEntry], objectGroups: ['vendor'], deviceGroups: ['vendor'] };
const onlySystem = {
  objects: [system],
  objectGroups: ['system'],
  deviceGroups: ['generic', 'quiet', 'vendor'],
};

const cases: readonly (readonly [what: string, raw: RawDefinitions, changed: object])[] = [
  [
    'the syntax of an attribute of a root',
    withAttribute(ifEntry, 'ifDescr', { syntax: 'OctetString' }),
    allInterfaces,
  ],
  ['its OID', withAttribute(ifEntry, 'ifDescr', { oid: '.1.3.6.1.2.1.2.2.1.3' }), allInterfaces],
  ['its field', withAttribute(ifEntry, 'ifDescr', { name: 'netif.text' }), allInterfaces],
  ['its metric', withAttribute(ifEntry, 'ifInOctets', { metric: 'gauge' }), allInterfaces],
  ['its tag', withAttribute(ifEntry, 'ifDescr', { tag: false }), allInterfaces],
  ['its unit', withAttribute(ifEntry, 'ifInOctets', { unit: 'octets' }), allInterfaces],
  [
    'its scale',
    withAttribute(ifEntry, 'ifInOctets', { metric: 'gauge', syntax: 'Gauge32', scale: { factor: 2 } }),
    allInterfaces,
  ],
  ['its rediscover rule', withAttribute(ifXEntry, 'ifName', { rediscover: 'OnReset' }), twoInterfaces],
  ['what it overrides', withAttribute(ifXEntry, 'ifHCInOctets', { overrides: undefined }), twoInterfaces],
  [
    'an attribute at the end of augments',
    withAttribute(portEntry, 'portBytesIn', { syntax: 'BytesMB' }),
    oneInterface,
  ],
  ['a discovery attribute', withObject(ifXEntry, { discovery_attribute: 'ifHCInOctets' }), twoInterfaces],
  [
    'an index',
    withObject(ifEntry, { index: [{ type: 'Integer', name: 'port', syntax: 'Integer' }] }),
    allInterfaces,
  ],
  ['a type', withObject(ifXEntry, { type: 'static' }), twoInterfaces],
  ['the interval of a type', withEntry('objectTypes', 'static', { poll_interval: 60 }), onlySystem],
  [
    'an enum',
    withEntry('integerEnums', '1.3.6.1.2.1.2.2.1.8', { 1: 'up', 2: 'off' }),
    { ...allInterfaces, enums: ['integer/1.3.6.1.2.1.2.2.1.8'] },
  ],
  [
    'a bitmap',
    withEntry('bitmapEnums', '1.3.6.1.2.1.1.7', { 0: 'physical' }),
    { ...onlySystem, enums: ['bitmap/1.3.6.1.2.1.1.7'] },
  ],
  [
    'the name of an OID',
    withEntry('oidEnums', '1.3.6.1.4.1.9999', 'Other'),
    { ...onlySystem, enums: ['oid'] },
  ],
  [
    'an enum that nothing uses',
    withEntry('integerEnums', '1.3.9', { 1: 'a' }),
    { enums: ['+integer/1.3.9'] },
  ],
  [
    'an enum of the other kind',
    withEntry('bitmapEnums', '1.3.6.1.2.1.2.2.1.8', { 1: 'a' }),
    { enums: ['+bitmap/1.3.6.1.2.1.2.2.1.8'] },
  ],
  [
    'the objects of a group',
    withEntry('objectGroups', 'vendor', { objects: [portEntry, ifEntry] }),
    { objectGroups: ['vendor'] },
  ],
  [
    'the groups of a device group',
    withEntry('deviceGroups', 'quiet', { object_groups: ['vendor'] }),
    { deviceGroups: ['quiet'] },
  ],
  [
    'the order in a group',
    withEntry('objectGroups', 'interfaces', { objects: [ifXEntry, ifEntry, ifEntry] }),
    {},
  ],
  ['the name of the MIB', withObject(ifEntry, { mib: 'RFC1213-MIB', object: 'interfaces' }), {}],
  ['a description', withAttribute(ifEntry, 'ifDescr', { description: 'What it is called.' }), {}],
  ['the dot in front of an OID', withAttribute(ifEntry, 'ifDescr', { oid: '1.3.6.1.2.1.2.2.1.2' }), {}],
  ['a default spelled out', withAttribute(ifEntry, 'ifInOctets', { tag: false }), {}],
  ['the unit of the syntax spelled out', withAttribute(portEntry, 'portBytesIn', { unit: 'B' }), {}],
  ['an interval that nothing uses', withEntry('objectTypes', 'slow', { poll_interval: 900 }), {}],
];

describe('content hashes', () => {
  for (const [what, raw, changed] of cases) {
    const outcome =
      Object.keys(changed).length === 0 ? 'stay the same' : 'change for what depends on it and nothing else';
    it(`of a set in which ${what} differs ${outcome}`, () => deepEqual(changedBy(raw), changed));
  }

  it('do not depend on the order of keys, ids or files', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const random = () => Number(numbers.next().value);
        const kinds = Object.entries(sample).map(([kind, entries]) => [
          kind,
          new Map(
            shuffled([...(entries as ReadonlyMap<string, unknown>)], random).map(([id, entry]) => [
              id,
              shuffle(entry, random),
            ]),
          ),
        ]);
        deepEqual(changedBy(Object.fromEntries(kinds) as RawDefinitions), {});
      }),
      { numRuns: 50 },
    );
  });

  it('depend on the order of keys where the last writer of a field wins', () => {
    const { attributes } = sample.objects.get(system)!;
    const sysName = attributes['sysName'];
    const twice = (names: readonly string[]) =>
      withObject(system, { attributes: Object.fromEntries(names.map((name) => [name, sysName])) });
    const hashes = [
      ['a', 'b'],
      ['b', 'a'],
    ].map((names) => compileDefinitions(twice(names)).definitions.objects.get(system)?.hash);
    deepEqual(new Set(hashes).size, 2);
  });
});

function shuffle(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffle(item, random));
  if (typeof value !== 'object' || value === null) return value;
  const entries = shuffled(Object.entries(value), random);
  return Object.fromEntries(entries.map(([key, item]) => [key, shuffle(item, random)]));
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const keyed = items.map((item) => ({ item, order: random() }));
  return keyed.sort((left, right) => left.order - right.order).map(({ item }) => item);
}
