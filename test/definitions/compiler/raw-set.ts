import { definitionKinds } from '../../../src/definitions/schema/definition-kinds.ts';
import type {
  RawAttribute,
  RawDefinitions,
  RawEntry,
  RawObject,
} from '../../../src/definitions/schema/raw-definitions.ts';

type Entries = { readonly [Kind in keyof RawDefinitions]?: Readonly<Record<string, RawEntry<Kind>>> };

/** A set of definitions; kinds that are left out are empty. */
export function rawSet(entries: Entries): RawDefinitions {
  const maps = definitionKinds.map((kind) => [kind, new Map(Object.entries(entries[kind] ?? {}))]);
  return Object.fromEntries(maps) as RawDefinitions;
}

/** An attribute at `oid` with the field `name`; a DisplayString by default. */
export function attribute(oid: string, name: string, more: Partial<RawAttribute> = {}): RawAttribute {
  return { oid, name, syntax: 'DisplayString', ...more };
}

export const ifIndex: NonNullable<RawObject['index']>[number] = {
  type: 'Integer',
  oid: '.1.3.6.1.2.1.2.2.1.1',
  name: 'netif',
  syntax: 'InterfaceIndex',
};

const entry = '.1.3.6.1.2.1.2.2.1';
const xEntry = '.1.3.6.1.2.1.31.1.1.1';

/** Two tables that share a record, scalars, groups, enums and types: every kind of dependency once. */
export const sample: RawDefinitions = rawSet({
  objectTypes: { dynamic: { poll_interval: 60 }, static: { poll_interval: 3600 } },
  objects: {
    'IF-MIB::ifEntry': {
      mib: 'IF-MIB',
      object: 'ifEntry',
      type: 'dynamic',
      index: [ifIndex],
      discovery_attribute: 'ifDescr',
      attributes: {
        ifDescr: attribute(`${entry}.2`, 'netif.descr', { tag: true }),
        ifOperStatus: attribute(`${entry}.8`, 'netif.oper', { syntax: 'EnumIntegerKeepID' }),
        ifInOctets: attribute(`${entry}.10`, 'netif.bytes.in', { syntax: 'Counter32', metric: 'counter' }),
      },
    },
    'IF-MIB::ifXEntry': {
      mib: 'IF-MIB',
      object: 'ifXEntry',
      type: 'dynamic',
      augments: 'IF-MIB::ifEntry',
      discovery_attribute: 'ifName',
      attributes: {
        ifName: attribute(`${xEntry}.1`, 'netif.name', { tag: true, rediscover: 'OnChange' }),
        ifHCInOctets: attribute(`${xEntry}.6`, 'netif.bytes.in', {
          syntax: 'BytesB',
          metric: 'counter',
          overrides: { object: 'IF-MIB::ifEntry', attribute: 'ifInOctets' },
        }),
      },
    },
    'VENDOR-MIB::portEntry': {
      mib: 'VENDOR-MIB',
      object: 'portEntry',
      augments: 'IF-MIB::ifXEntry',
      attributes: {
        portBytesIn: attribute('.1.3.6.1.4.1.9999.1.1.1', 'netif.bytes.in', {
          syntax: 'BytesKB',
          overrides: { object: 'IF-MIB::ifXEntry', attribute: 'ifHCInOctets' },
        }),
      },
    },
    'SNMPv2-MIB::system': {
      type: 'static',
      attributes: {
        sysName: attribute('.1.3.6.1.2.1.1.5', 'system.name'),
        sysServices: attribute('.1.3.6.1.2.1.1.7', 'system.services', { syntax: 'EnumBitmap' }),
        sysObjectID: attribute('.1.3.6.1.2.1.1.2', 'system.type', { syntax: 'EnumObjectIdentifier' }),
      },
    },
  },
  objectGroups: {
    interfaces: { objects: ['IF-MIB::ifEntry', 'IF-MIB::ifXEntry'] },
    vendor: { objects: ['VENDOR-MIB::portEntry'] },
    system: { objects: ['SNMPv2-MIB::system'] },
  },
  deviceGroups: {
    generic: { object_groups: ['system', 'interfaces'] },
    vendor: { object_groups: ['system', 'interfaces', 'vendor'] },
    quiet: { object_groups: ['system'] },
  },
  integerEnums: { '1.3.6.1.2.1.2.2.1.8': { 1: 'up', 2: 'down' } },
  bitmapEnums: { '1.3.6.1.2.1.1.7': { 0: 'physical', 1: 'datalink' } },
  oidEnums: { '1.3.6.1.4.1.9999': 'Vendor' },
  sysObjectIds: { '1.3.6.1.4.1.9999': 'vendor', '1.3.6.1.4.1.9999.1.7': 'quiet' },
});
