import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CompileCache } from '../../../src/definitions/compiler/compile-cache.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import { attribute, ifIndex, rawSet, sample } from './raw-set.ts';

const { definitions, problems } = compileDefinitions(sample);
const objectOf = (id: string) => definitions.objects.get(id)!;

describe('a compiled generation', () => {
  it('has no problems for files without problems', () => deepEqual(problems, []));

  it('gives an object the index and the record of the object that it augments, through any number of steps', () => {
    for (const id of ['IF-MIB::ifEntry', 'IF-MIB::ifXEntry', 'VENDOR-MIB::portEntry']) {
      equal(objectOf(id).record, 'IF-MIB::ifEntry');
      deepEqual(objectOf(id).index, [
        {
          type: 'Integer',
          field: 'netif.index',
          syntax: 'InterfaceIndex',
          column: '1.3.6.1.2.1.2.2.1.1',
          mibName: undefined,
        },
      ]);
    }
    deepEqual(
      definitions.tables,
      new Map([
        ['IF-MIB::ifEntry', ['IF-MIB::ifEntry', 'IF-MIB::ifXEntry', 'VENDOR-MIB::portEntry']],
        ['SNMPv2-MIB::system', ['SNMPv2-MIB::system']],
      ]),
    );
  });

  it('names fields with the suffix of their syntax; two when the number is kept beside its name', () => {
    deepEqual(objectOf('IF-MIB::ifEntry').attributes.get('ifOperStatus'), {
      name: 'ifOperStatus',
      column: '1.3.6.1.2.1.2.2.1.8',
      syntax: 'EnumIntegerKeepID',
      fields: [
        { field: 'netif.oper.name', syntax: 'EnumIntegerKeepID', kind: 'text' },
        { field: 'netif.oper.id', syntax: 'Integer', kind: 'number' },
      ],
      metric: undefined,
      tag: false,
      at: undefined,
      unit: undefined,
      rediscover: undefined,
      scale: undefined,
      sensor: undefined,
      missing: undefined,
      stateAs: undefined,
      description: undefined,
      enum: 'integer/1.3.6.1.2.1.2.2.1.8',
      overrides: [],
    });
  });

  it('keeps a unit that differs from the unit of the syntax', () => {
    const unitOf = (unit: string) => {
      const attributes = { a: attribute('.1.3.1', 'a', { syntax: 'BytesB', unit }) };
      const { objects } = compileDefinitions(rawSet({ objects: { 'A::a': { attributes } } })).definitions;
      return objects.get('A::a')?.attributes.get('a')?.unit;
    };
    deepEqual([unitOf('octets'), unitOf('B')], ['octets', undefined]);
  });

  it('resolves chains of overrides', () => {
    deepEqual(objectOf('VENDOR-MIB::portEntry').attributes.get('portBytesIn')?.overrides, [
      { object: 'IF-MIB::ifXEntry', attribute: 'ifHCInOctets' },
      { object: 'IF-MIB::ifEntry', attribute: 'ifInOctets' },
    ]);
  });

  it('walks the discovery attribute, else the column with the lowest OID; scalars are not walked', () => {
    equal(objectOf('IF-MIB::ifEntry').discoveryAttribute, 'ifDescr');
    equal(objectOf('VENDOR-MIB::portEntry').discoveryAttribute, 'portBytesIn');
    equal(objectOf('SNMPv2-MIB::system').discoveryAttribute, undefined);
  });

  it('collects the objects of all groups of a device group, each once', () => {
    deepEqual(definitions.deviceGroups.get('generic')?.objects, [
      'IF-MIB::ifEntry',
      'IF-MIB::ifXEntry',
      'SNMPv2-MIB::system',
    ]);
  });

  it('finds enums with their numbers, including negative ones', () => {
    const raw = rawSet({ integerEnums: { '1.3.6': { '-1': 'unknown', 2: 'b', 10: 'c' } } });
    const names = compileDefinitions(raw).definitions.enums.get('integer/1.3.6')?.names;
    deepEqual([names?.get(-1), names?.get(10), names?.get(3)], ['unknown', 'c', undefined]);
  });

  it('keeps the same value for an object that did not change', () => {
    const cache = new CompileCache();
    const before = compileDefinitions(sample, cache).definitions;
    const objects = new Map(sample.objects);
    objects.set('SNMPv2-MIB::system', {
      attributes: { sysName: attribute('.1.3.6.1.2.1.1.5', 'host.name') },
    });
    const after = compileDefinitions({ ...sample, objects }, cache).definitions;
    equal(after.objects.get('VENDOR-MIB::portEntry'), before.objects.get('VENDOR-MIB::portEntry'));
    equal(after.objects.get('SNMPv2-MIB::system') === before.objects.get('SNMPv2-MIB::system'), false);
  });

  it('is plain data that another thread receives unchanged', () => {
    deepEqual(structuredClone(definitions), definitions);
  });

  it('labels an index part with a name and no syntax by its type; a part without a name has no label', () => {
    const index = [{ type: 'IpAddress', name: 'peer' } as const, { type: 'Integer' } as const];
    const compiled = compileDefinitions(rawSet({ objects: { 'A::a': { index, attributes: {} } } }));
    deepEqual(compiled.problems, []);
    deepEqual(compiled.definitions.objects.get('A::a')?.index, [
      {
        type: 'IpAddress',
        field: 'peer',
        syntax: 'IpAddressNoSuffix',
        column: undefined,
        mibName: undefined,
      },
      { type: 'Integer', field: undefined, syntax: 'none', column: undefined, mibName: undefined },
    ]);
  });

  it('merges scalars that augment scalars into one record', () => {
    const raw = rawSet({
      objects: {
        'A::a': { attributes: { one: attribute('.1.3.1', 'one') } },
        'B::b': { augments: 'A::a', attributes: { two: attribute('.1.4.1', 'two') } },
        'C::c': { index: [ifIndex], attributes: {} },
      },
    });
    const { objects } = compileDefinitions(raw).definitions;
    deepEqual([objects.get('B::b')?.record, objects.get('B::b')?.index], ['A::a', []]);
    equal(objects.get('C::c')?.discoveryAttribute, undefined);
  });
});
