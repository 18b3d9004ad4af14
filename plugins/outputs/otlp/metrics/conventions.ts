import type { BooleanColumn, Column, CounterColumn, NumberColumn } from '../../../../src/index.ts';

/** How a field is called in OpenTelemetry's conventions for hardware and systems. */
export interface Convention {
  readonly name: string;
  readonly unit: string;
  /** What a value of the field is multiplied by. */
  readonly times: number;
  /** What distinguishes it from other fields of the same metric. */
  readonly attribute: readonly [key: string, value: string] | undefined;
}

type Entry = readonly [name: string, unit: string, times?: number, attribute?: Convention['attribute']];

const hardware: Readonly<Record<string, Entry>> = {
  temperature: ['hw.temperature', 'Cel'],
  voltage: ['hw.voltage', 'V'],
  power: ['hw.power', 'W'],
  fan_speed: ['hw.fan.speed', 'rpm'],
  fan_level: ['hw.fan.speed_ratio', '1', 0.01],
  charge: ['hw.battery.charge', '1', 0.01],
};

/** https://opentelemetry.io/docs/specs/semconv/system/hardware-metrics/: the limits of a sensor. */
const limits: Readonly<Record<string, string>> = {
  '.low.critical': 'low.critical',
  '.low.warning': 'low.degraded',
  '.high.warning': 'high.degraded',
  '.high.critical': 'high.critical',
};

const systems: Readonly<Record<string, Entry>> = {
  'processor.usage': ['system.cpu.utilization', '1', 0.01],
  'memory.size': ['system.memory.limit', 'By'],
  'memory.used': ['system.memory.usage', 'By', 1, ['system.memory.state', 'used']],
  'memory.free': ['system.memory.usage', 'By', 1, ['system.memory.state', 'free']],
  'memory.usage': ['system.memory.utilization', '1', 0.01],
  'storage.size': ['system.filesystem.limit', 'By'],
  'storage.used': ['system.filesystem.usage', 'By', 1, ['system.filesystem.state', 'used']],
  'storage.free': ['system.filesystem.usage', 'By', 1, ['system.filesystem.state', 'free']],
  'storage.usage': ['system.filesystem.utilization', '1', 0.01],
};

type Direction = readonly ['network.io.direction', 'receive' | 'transmit'];
const receive: Direction = ['network.io.direction', 'receive'];
const transmit: Direction = ['network.io.direction', 'transmit'];

/**
 * https://opentelemetry.io/docs/specs/semconv/system/system-metrics/: what the conventions count of interfaces. Packets keep their own names:
 * IF-MIB counts them by unicast, multicast and broadcast, and the sum of some is not what `system.network.packet.count` means.
 */
const interfaces: Readonly<Record<string, Entry>> = {
  'netif.bytes.in': ['system.network.io', 'By', 1, receive],
  'netif.bytes.out': ['system.network.io', 'By', 1, transmit],
  'netif.errors.in': ['system.network.errors', '{error}', 1, receive],
  'netif.errors.out': ['system.network.errors', '{error}', 1, transmit],
  'netif.discards.in': ['system.network.packet.dropped', '{packet}', 1, receive],
  'netif.discards.out': ['system.network.packet.dropped', '{packet}', 1, transmit],
};

/** The records of IF-MIB, whatever object of it comes first. */
export function isInterface(record: string): boolean {
  return record.startsWith('IF-MIB::');
}

/** Attributes of the conventions, by label. */
export const conventionalKeys: ReadonlyMap<string, string> = new Map([
  ['netif.name', 'network.interface.name'],
  ['sensor.id', 'hw.id'],
  ['sensor.name', 'hw.name'],
  ['sensor.location', 'hw.sensor_location'],
]);

const known: ReadonlyMap<string, Convention> = new Map([
  ...Object.entries(systems).map(([field, entry]) => [field, conventionOf(entry)] as const),
  ...Object.entries(hardware).flatMap(([name, entry]) => [
    [`sensor.${name}`, conventionOf(entry)] as const,
    ...Object.entries(limits).map(
      ([suffix, type]) =>
        [
          `sensor.${name}${suffix}`,
          { ...conventionOf(entry), name: `${entry[0]}.limit`, attribute: ['hw.limit_type', type] },
        ] as const,
    ),
  ]),
]);

const counted: ReadonlyMap<string, Convention> = new Map(
  Object.entries(interfaces).map(([field, entry]) => [field, conventionOf(entry)]),
);

function conventionOf([name, unit, times = 1, attribute]: Entry): Convention {
  return { name, unit, times, attribute };
}

/** Only for the records of the vocabulary: a field of another record may mean something else. */
export function findConvention(record: string, { field, unit }: Column): Convention | undefined {
  if (isInterface(record)) return counted.get(field);
  if (record.includes('::')) return undefined;
  const found = known.get(field);
  // A percentage that the poller gives as a part of 1 is a ratio already.
  return found !== undefined && unit === '1' ? { ...found, times: 1 } : found;
}

type Numbers = NumberColumn | CounterColumn | BooleanColumn;

export function multiply(column: Numbers, times: number): Numbers {
  if (times === 1 || column.kind !== 'number') return column;
  return { ...column, values: column.values.map((value) => Number((value * times).toPrecision(12))) };
}

/** The states of hw.status, by those of `sensor.state`. An unknown state is none of them. */
const hardwareStates: Readonly<Record<string, string>> = {
  ok: 'ok',
  warning: 'degraded',
  critical: 'failed',
};

/** `hw.status`: for each state a value for each row, 1 for the current one. */
export function listStatus(column: Column): { readonly state: string; readonly column: NumberColumn }[] {
  if (column.kind !== 'text') return [];
  return Object.entries(hardwareStates).map(([own, state]) => ({
    state,
    column: {
      kind: 'number',
      field: 'hw.status',
      metric: 'gauge',
      values: Float64Array.from(column.values, (value) => (value === own ? 1 : 0)),
      gaps: column.gaps,
    },
  }));
}
