import { numberOf, type RecordTable, rowsOf, textOf } from './device-rows.ts';

/** What a device says about itself. */
export interface DeviceIdentity {
  readonly description: string;
  readonly vendor: string;
  readonly model: string;
  readonly version: string;
  readonly serial: string;
  readonly location: string;
  readonly contact: string;
  readonly ownName: string;
  readonly uptimeMs: number | undefined;
}

/** Agents of general use: the maker of the device is another one. */
const agents: readonly (string | undefined)[] = [undefined, 'Net-SNMP', 'UCD-SNMP'];

/**
 * The name by which the device is found among others: lists and filters go by its sysObjectID. Where that names only a number or an agent,
 * what the device says about its maker.
 */
export function vendorName(listed: string | undefined, own: string): string {
  const isKnown = !agents.includes(listed) && listed?.startsWith('enterprise ') !== true;
  return isKnown || own === '' ? (listed ?? '') : own;
}

/** Reads the identity from the records of ENTITY-MIB and SNMPv2-MIB, or those of a UPS. */
export function identify(tables: readonly RecordTable[]): DeviceIdentity {
  const system = rowsOf(tables, 'SNMPv2-MIB::system')[0];
  const parts = rowsOf(tables, 'ENTITY-MIB::entPhysicalEntry');
  const ups = rowsOf(tables, 'UPS-MIB::upsIdent')[0];
  const isMain = (name: string) => (row: (typeof parts)[number]) => textOf(row, 'entity.class.name') === name;
  const chassis = parts.find(isMain('stack')) ?? parts.find(isMain('chassis')) ?? parts[0];
  const anyPart = (field: string) =>
    textOf(
      parts.find((row) => textOf(row, field) !== ''),
      field,
    );
  const first = (...texts: readonly string[]) => texts.find((text) => text !== '') ?? '';
  return {
    description: textOf(system, 'system.descr'),
    vendor: first(textOf(chassis, 'entity.manufacturer'), textOf(ups, 'ups.manufacturer')),
    model: first(textOf(chassis, 'entity.model'), anyPart('entity.model'), textOf(ups, 'ups.model')),
    version: first(
      textOf(chassis, 'entity.revision.software'),
      anyPart('entity.revision.software'),
      textOf(chassis, 'entity.revision.firmware'),
      textOf(ups, 'ups.revision.firmware'),
    ),
    serial: first(textOf(chassis, 'entity.serial'), anyPart('entity.serial')),
    location: textOf(system, 'system.location'),
    contact: textOf(system, 'system.contact'),
    ownName: textOf(system, 'system.name'),
    uptimeMs: system === undefined ? undefined : numberOf(system, 'system.uptime'),
  };
}
