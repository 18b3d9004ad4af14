import { type Cell, cell } from './cell.ts';
import type { SnmprecText } from './snmprec-text.ts';

const { counter32, counter64, gauge, hex, int, oid, text, ticks } = cell;
export interface SystemFacts {
  readonly description: string;
  readonly objectId: string;
  readonly uptime: number;
  readonly name: string;
  readonly location: string;
  readonly services: number;
}

/** SNMPv2-MIB system, with an empty contact. */
export function addSystem(device: SnmprecText, facts: SystemFacts): void {
  device.scalars('1.3.6.1.2.1.1', {
    1: text(facts.description),
    2: oid(facts.objectId),
    3: ticks(facts.uptime),
    4: text(''),
    5: text(facts.name),
    6: text(facts.location),
    7: int(facts.services),
  });
}

export interface InterfaceFacts {
  readonly index: number;
  readonly description: string;
  readonly name: string;
  readonly alias: Cell;
  readonly type: number;
  readonly bitsPerSecond: number;
  readonly mac: string;
  readonly operStatus: number;
  /** Octets in; everything else that counts follows from it. */
  readonly octets: bigint;
}

/** IF-MIB ifTable and ifXTable. The 32-bit counters are the low half of the 64-bit ones, as on a real device. */
export function addInterface(device: SnmprecText, facts: InterfaceFacts): void {
  const { index, octets } = facts;
  const isUp = facts.operStatus === 1;
  const out = BigInt.asUintN(64, (octets * 7n) / 5n);
  const packets = octets / 700n;
  device.row('1.3.6.1.2.1.2.2.1', index, {
    1: int(index),
    2: text(facts.description),
    3: int(facts.type),
    4: int(facts.type === 24 ? 65536 : 1500),
    5: gauge(Math.min(facts.bitsPerSecond, 4294967295)),
    6: facts.mac === '' ? text('') : hex(facts.mac),
    7: int(facts.operStatus === 2 && index % 2 === 0 ? 2 : 1),
    8: int(facts.operStatus),
    9: ticks(isUp ? 4200 + index : 0),
    10: counter32(low(octets)),
    11: counter32(low(packets)),
    13: counter32(index % 5),
    14: counter32(index === 3 ? 1207 : 0),
    15: counter32(0),
    16: counter32(low(out)),
    17: counter32(low(packets + 99n)),
    19: counter32(index % 7),
    20: counter32(0),
  });
  device.row('1.3.6.1.2.1.31.1.1.1', index, {
    1: text(facts.name),
    2: counter32(low(packets / 50n)),
    3: counter32(low(packets / 90n)),
    4: counter32(low(packets / 60n)),
    5: counter32(low(packets / 80n)),
    6: counter64(octets),
    7: counter64(packets),
    8: counter64(packets / 50n),
    9: counter64(packets / 90n),
    10: counter64(out),
    11: counter64(packets + 99n),
    12: counter64(packets / 60n),
    13: counter64(packets / 80n),
    14: int(1),
    15: gauge(Math.round(facts.bitsPerSecond / 1e6)),
    16: int(2),
    17: int(facts.type === 6 ? 1 : 2),
    18: facts.alias,
    19: ticks(0),
  });
}

export interface EntityFacts {
  readonly index: number;
  readonly description: string;
  readonly within: number;
  /** IANAPhysicalClass; 8 is a sensor. */
  readonly class: number;
  readonly position: number;
  readonly name: string;
  /** ENTITY-SENSOR-MIB: type, scale, precision, value, units. */
  readonly sensor?: readonly [type: number, scale: number, precision: number, value: number, units: string];
}

/** ENTITY-MIB entPhysicalTable and, for a sensor, ENTITY-SENSOR-MIB. */
export function addEntity(device: SnmprecText, facts: EntityFacts): void {
  const { index, sensor } = facts;
  device.row('1.3.6.1.2.1.47.1.1.1.1', index, {
    2: text(facts.description),
    3: oid('0.0'),
    4: int(facts.within),
    5: int(facts.class),
    6: int(facts.position),
    7: text(facts.name),
    8: text(''),
    9: text(''),
    10: text(facts.class === 3 ? '4.2.1' : ''),
    11: text(facts.class === 3 ? `MADEUP${String(index).padStart(4, '0')}` : ''),
    12: text('Example Networks'),
    13: text(facts.class === 3 ? 'EX-1000' : ''),
    14: text(''),
    15: text(''),
    16: int(facts.class === 3 || facts.class === 6 ? 1 : 2),
    // DateAndTime, once without and once with a time zone.
    17: facts.class === 3 ? hex('07e8021d0d1e0f05') : hex('07e8021d0d1e0f052b0200'),
  });
  if (sensor === undefined) return;
  const [type, scale, precision, value, units] = sensor;
  device.row('1.3.6.1.2.1.99.1.1.1', index, {
    1: int(type),
    2: int(scale),
    3: int(precision),
    4: int(value),
    5: int(value === -1_000_000_000 ? 3 : 1),
    6: text(units),
    7: ticks(123_456),
    8: gauge(5000),
  });
}

function low(value: bigint): number {
  return Number(BigInt.asUintN(32, value));
}
