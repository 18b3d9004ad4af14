import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import { type IntervalSettings, pollIntervalOf } from '../generation/poll-interval.ts';
import { layoutRecords } from '../generation/record-layout.ts';
import { findRefusal, type ObjectWish, wishOf } from './object-wish.ts';

/** What polling by a generation costs. An estimate: objects and rows of a device are those of its last discovery. */
export interface Cost {
  readonly devices: number;
  /** Objects polled, over all devices. */
  readonly objects: number;
  /** Time series: rows × fields, without labels. */
  readonly series: number;
  readonly valuesPerSecond: number;
  readonly packetsPerSecond: number;
}

/** What the cost of a device depends on. */
export interface CostSubject {
  readonly deviceGroups: readonly string[];
  readonly intervals: IntervalSettings;
  /** The number of instances by object, as of the last discovery; undefined before the first one. */
  readonly found?: ReadonlyMap<string, number> | undefined;
}

/** Assumptions for what is not known. */
export interface CostOptions {
  /** Rows of a table that was not walked yet. */
  readonly assumedRows?: number;
  /** Values that fit into a reply of 1,400 octets. */
  readonly valuesOfPacket?: number;
}

/** Adds up what polling `devices` costs. The costs of each set of objects are found once. */
export function estimateCost(
  definitions: CompiledDefinitions,
  devices: Iterable<CostSubject>,
  { assumedRows = 10, valuesOfPacket = 50 }: CostOptions = {},
): Cost {
  const total = { devices: 0, objects: 0, series: 0, valuesPerSecond: 0, packetsPerSecond: 0 };
  const wishes = new Map<string, ObjectWish>();
  const known = new Map<string, readonly ObjectCost[]>();
  for (const device of devices) {
    const groups = device.deviceGroups.join('\n');
    const wish = wishes.get(groups) ?? wishOf(device.deviceGroups.flatMap(groupOf(definitions)));
    wishes.set(groups, wish);
    const ids = listObjects(definitions, wish, device.found);
    const key = ids.join('\n');
    const objects = known.get(key) ?? costsOf(definitions, new Set(ids));
    known.set(key, objects);
    const valuesByInterval = new Map<number, number>();
    for (const { id, columns, series, isTable, type } of objects) {
      const rows = device.found?.get(id) ?? (isTable ? assumedRows : 1);
      if (rows === 0) continue;
      const everyMs = pollIntervalOf(type, device.intervals, definitions.everyMsByType);
      valuesByInterval.set(everyMs, (valuesByInterval.get(everyMs) ?? 0) + rows * columns);
      total.objects++;
      total.series += rows * series;
    }
    for (const [everyMs, values] of valuesByInterval) {
      total.valuesPerSecond += (1000 * values) / everyMs;
      total.packetsPerSecond += (1000 * Math.ceil(values / valuesOfPacket)) / everyMs;
    }
    total.devices++;
  }
  return total;
}

interface ObjectCost {
  readonly id: string;
  /** Polled for each row. */
  readonly columns: number;
  readonly series: number;
  readonly isTable: boolean;
  readonly type: string | undefined;
}

function groupOf({ deviceGroups }: CompiledDefinitions) {
  return (id: string) => deviceGroups.get(id) ?? [];
}

/** The objects that the groups name, and with `objects: auto` those that the device has. */
function listObjects(
  { objects }: CompiledDefinitions,
  wish: ObjectWish,
  found: CostSubject['found'] = new Map(),
): string[] {
  const answered = wish.isAuto ? [...found.keys()] : [];
  const more = answered.filter((id) => {
    const object = objects.get(id);
    return object !== undefined && !wish.named.has(id) && findRefusal(object, wish) === undefined;
  });
  return [...wish.named, ...more];
}

/** Overridden attributes cost nothing: of each field only the best writer counts. */
function costsOf(definitions: CompiledDefinitions, ids: ReadonlySet<string>): ObjectCost[] {
  const columns = new Map<string, Set<string>>();
  const series = new Map<string, number>();
  for (const { columns: fields } of layoutRecords(definitions, ids)) {
    for (const { writers, tag } of fields) {
      const [best] = writers;
      if (best === undefined) continue;
      columns.set(best.object, (columns.get(best.object) ?? new Set()).add(best.attribute));
      if (!tag) series.set(best.object, (series.get(best.object) ?? 0) + 1);
    }
  }
  for (const id of ids) {
    for (const { name, sensor } of definitions.objects.get(id)!.attributes.values()) {
      if (sensor === undefined) continue;
      columns.set(id, (columns.get(id) ?? new Set()).add(name));
      if (sensor.state !== undefined) columns.get(id)!.add(sensor.state.of.attribute);
      series.set(id, (series.get(id) ?? 0) + 1);
    }
  }
  return [...ids].map((id) => {
    const { index, type } = definitions.objects.get(id)!;
    return {
      id,
      columns: columns.get(id)?.size ?? 0,
      series: series.get(id) ?? 0,
      isTable: index.length > 0,
      type,
    };
  });
}
