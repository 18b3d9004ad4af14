import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findAffectedDevices,
  findRemappedDevices,
} from '../../../src/definitions/changes/affected-devices.ts';
import {
  diffDefinitions,
  isUnchanged,
  listFieldChanges,
} from '../../../src/definitions/changes/definition-diff.ts';
import { CompileCache } from '../../../src/definitions/compiler/compile-cache.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { CompiledDefinitions } from '../../../src/definitions/compiler/compiled-definitions.ts';
import { columnNamesFor } from '../../../src/definitions/generation/column-names.ts';
import { findDeviceGroup } from '../../../src/definitions/generation/device-group-finder.ts';
import { layoutRecords } from '../../../src/definitions/generation/record-layout.ts';
import type { RawDefinitions, RawDevice } from '../../../src/definitions/schema/raw-definitions.ts';
import { estimateCost } from '../../../src/definitions/selection/cost-estimate.ts';
import { attribute, rawSet, sample } from '../compiler/raw-set.ts';

const before = compileDefinitions(sample).definitions;
const objects = new Map(sample.objects);
const vendorObject = objects.get('VENDOR-MIB::portEntry')!;
objects.set('VENDOR-MIB::portEntry', {
  ...vendorObject,
  attributes: { portBytesIn: { ...vendorObject.attributes['portBytesIn']!, syntax: 'BytesMB' } },
});
objects.set('NEW-MIB::thing', { attributes: { one: attribute('.1.3.6.1.4.1.1', 'one') } });
objects.delete('IF-MIB::unknown');
const changed: RawDefinitions = { ...sample, objects };
const after = compileDefinitions(changed).definitions;

describe('the difference between two generations', () => {
  it('is empty for the same set, compiled twice or from one cache', () => {
    equal(isUnchanged(diffDefinitions(before, compileDefinitions(sample).definitions)), true);
    const cache = new CompileCache();
    const [first, second] = [compileDefinitions(sample, cache), compileDefinitions(sample, cache)];
    equal(isUnchanged(diffDefinitions(first.definitions, second.definitions)), true);
  });

  it('lists ids, sorted, and the fields that differ', () => {
    const changes = diffDefinitions(before, after);
    deepEqual(changes.objects, {
      added: ['NEW-MIB::thing'],
      changed: ['VENDOR-MIB::portEntry'],
      removed: [],
    });
    deepEqual(diffDefinitions(after, before).objects.removed, ['NEW-MIB::thing']);
    deepEqual(listFieldChanges(before, after, changes), [
      {
        kind: 'objects',
        id: 'VENDOR-MIB::portEntry',
        path: ['attributes', 'portBytesIn', 'fields', 0, 'syntax'],
        before: 'BytesKB',
        after: 'BytesMB',
      },
      {
        kind: 'objects',
        id: 'VENDOR-MIB::portEntry',
        path: ['attributes', 'portBytesIn', 'syntax'],
        before: 'BytesKB',
        after: 'BytesMB',
      },
    ]);
  });

  it('finds devices whose settings differ, whatever the order of keys, and shows no secrets', () => {
    const withDevices = (devices: Record<string, RawDevice>) =>
      compileDefinitions(rawSet({ devices })).definitions;
    const plain = withDevices({
      a: { ip: '192.0.2.1', communities: ['first'] },
      b: { ip: '192.0.2.2', retries: 0 },
    });
    const other = withDevices({
      a: { ip: '192.0.2.1', communities: ['second'] },
      b: { retries: 0, ip: '192.0.2.2' },
    });
    const changes = diffDefinitions(plain, other);
    deepEqual(changes.devices, { added: [], changed: ['a'], removed: [] });
    deepEqual(listFieldChanges(plain, other, changes), [
      { kind: 'devices', id: 'a', path: ['communities', 0], before: '***', after: '***' },
    ]);
  });
});

describe('affected devices', () => {
  it('are the devices with a group that contains a changed object', () => {
    const devices = [
      { name: 'a', deviceGroups: ['generic'] },
      { name: 'b', deviceGroups: ['quiet', 'vendor'] },
      { name: 'c', deviceGroups: [] },
    ];
    const affectedBy = (other: CompiledDefinitions) =>
      findAffectedDevices(diffDefinitions(before, other), devices).map(({ name }) => name);
    deepEqual(affectedBy(after), ['b']);
    deepEqual(affectedBy(before), []);
    deepEqual(affectedBy(compileDefinitions(rawSet({})).definitions), ['a', 'b']);
  });
});

describe('the device group of a sysObjectID', () => {
  it('comes from the exact entry, else from the longest prefix that ends with a whole arc', () => {
    equal(findDeviceGroup(before, '.1.3.6.1.4.1.9999.1.7'), 'quiet');
    equal(findDeviceGroup(before, '1.3.6.1.4.1.9999.1.7.3'), 'quiet');
    equal(findDeviceGroup(before, '1.3.6.1.4.1.9999.1.70'), 'vendor');
    equal(findDeviceGroup(before, '1.3.6.1.4.1.99990'), undefined);
    equal(findDeviceGroup(before, 'nonsense'), undefined);
  });

  it('is that of 1.3.6.1 for a device without one, with 0.0, or with one outside of all entries', () => {
    const raw = { ...sample, sysObjectIds: new Map([['1.3.6.1', 'quiet']]) };
    const { definitions } = compileDefinitions(raw);
    for (const oid of [undefined, '', '0.0', '1.2.840.1']) equal(findDeviceGroup(definitions, oid), 'quiet');
    equal(findDeviceGroup(before, undefined), undefined);
    const changes = diffDefinitions(before, definitions);
    deepEqual(findRemappedDevices(changes, before, [{ sysObjectId: '0.0' }, {}]), [{ sysObjectId: '0.0' }]);
  });

  it('ignores an entry whose group does not exist', () => {
    const raw = {
      ...sample,
      sysObjectIds: new Map([
        ['1.3.6.1', 'quiet'],
        ['1.3.6.1.4', 'gone'],
      ]),
    };
    equal(findDeviceGroup(compileDefinitions(raw).definitions, '1.3.6.1.4.1'), 'quiet');
  });
});

describe('the names of a column', () => {
  it('come from its enum, of the kind that its syntax uses', () => {
    const namesOf = (syntax: string, column?: string) =>
      columnNamesFor(before, syntax, column).column?.get(1);
    equal(namesOf('EnumInteger', '1.3.6.1.2.1.2.2.1.8'), 'up');
    equal(namesOf('EnumBitmap', '1.3.6.1.2.1.1.7'), 'datalink');
    equal(namesOf('EnumBitmap', '1.3.6.1.2.1.2.2.1.8'), undefined);
    equal(namesOf('Integer', '1.3.6.1.2.1.2.2.1.8'), undefined);
    equal(namesOf('EnumInteger'), undefined);
    equal(columnNamesFor(before, 'EnumObjectIdentifier', '1.3').oids?.get('1.3.6.1.4.1.9999'), 'Vendor');
  });
});

describe('record layouts', () => {
  const layoutsOf = (ids: readonly string[]) =>
    layoutRecords(before, ids).map(({ record, columns }) => ({
      record,
      columns: columns.map(({ field, writers }) => [field, ...writers.map((writer) => writer.attribute)]),
    }));

  it('merge objects that augment each other, and list overriding attributes before overridden ones', () => {
    deepEqual(layoutsOf(['VENDOR-MIB::portEntry', 'IF-MIB::ifXEntry', 'IF-MIB::ifEntry']), [
      {
        record: 'IF-MIB::ifEntry',
        columns: [
          ['netif.descr', 'ifDescr'],
          ['netif.oper.name', 'ifOperStatus'],
          ['netif.oper.id', 'ifOperStatus'],
          ['netif.bytes.in', 'portBytesIn', 'ifHCInOctets', 'ifInOctets'],
          ['netif.name', 'ifName'],
        ],
      },
    ]);
  });

  it('contain only the objects that are polled', () => {
    deepEqual(layoutsOf(['IF-MIB::ifXEntry', 'SNMPv2-MIB::nothing']), [
      {
        record: 'IF-MIB::ifEntry',
        columns: [
          ['netif.name', 'ifName'],
          ['netif.bytes.in', 'ifHCInOctets'],
        ],
      },
    ]);
  });

  it('prefer the later of two colliding attributes, and an overriding attribute in any order', () => {
    const overrides = { object: 'A::a', attribute: 'third' };
    const raw = rawSet({
      objects: {
        'A::a': {
          attributes: {
            first: attribute('.1.3.1', 'field', { overrides }),
            second: attribute('.1.3.2', 'other'),
            third: attribute('.1.3.3', 'field'),
            fourth: attribute('.1.3.4', 'other'),
          },
        },
      },
    });
    const columns = layoutRecords(compileDefinitions(raw).definitions, ['A::a'])[0]?.columns;
    deepEqual(
      columns?.map(({ field, writers }) => [field, ...writers.map((writer) => writer.attribute)]),
      [
        ['field', 'first', 'third'],
        ['other', 'fourth', 'second'],
      ],
    );
  });
});

describe('a cost estimate', () => {
  it('counts what is polled at its interval, without overridden attributes', () => {
    const found = new Map([
      ['IF-MIB::ifEntry', 100],
      ['IF-MIB::ifXEntry', 100],
    ]);
    const device = { deviceGroups: ['generic'], intervals: {}, found };
    // ifEntry: 2 of its 3 attributes, 2 series per row; ifXEntry: 2 and 1; system: 3 scalars every hour.
    deepEqual(estimateCost(before, [device, device], { valuesOfPacket: 40 }), {
      devices: 2,
      objects: 6,
      series: 2 * (100 * 3 + 3),
      valuesPerSecond: 2 * (400 / 60 + 3 / 3600),
      packetsPerSecond: 2 * (10 / 60 + 1 / 3600),
    });
  });

  it('uses the device’s own intervals, and assumes rows for tables that were not walked yet', () => {
    const device = { deviceGroups: ['quiet'], intervals: { poll_intervals: { static: 6 } } };
    equal(estimateCost(before, [device]).valuesPerSecond, 0.5);
    equal(
      estimateCost(before, [{ deviceGroups: ['generic'], intervals: {} }], { assumedRows: 7 }).series,
      7 * 3 + 3,
    );
    const found = new Map([...before.objects.keys()].map((id) => [id, id.startsWith('IF-MIB') ? 0 : 1]));
    equal(estimateCost(before, [{ deviceGroups: ['generic'], intervals: {}, found }]).series, 3);
  });

  it('counts what the last discovery found on a device with `objects: auto`, except what its group leaves out', () => {
    const deviceGroups = new Map([
      ...before.deviceGroups,
      ['auto', { ...before.deviceGroups.get('generic')!, objects: [], auto: { without: [] } }],
      [
        'some',
        { ...before.deviceGroups.get('generic')!, objects: [], auto: { without: ['IF-MIB::ifXEntry'] } },
      ],
    ]);
    const found = new Map([
      ['IF-MIB::ifEntry', 4],
      ['IF-MIB::ifXEntry', 4],
      ['GONE-MIB::entry', 9],
    ]);
    const estimate = (group: string, rows?: typeof found) =>
      estimateCost({ ...before, deviceGroups }, [{ deviceGroups: [group], intervals: {}, found: rows }]);
    equal(estimate('auto', found).objects, 2);
    equal(estimate('auto', found).series, 4 * 3);
    equal(estimate('some', found).objects, 1);
    equal(estimate('auto').objects, 0);
  });
});
