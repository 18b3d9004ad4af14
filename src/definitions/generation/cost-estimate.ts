import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import { layoutRecords } from './record-layout.ts';

/** What polling by a generation costs. An estimate: the number of rows is known only for discovered tables. */
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
  readonly everyMs: number;
  /** By object type, where the device has intervals of its own. */
  readonly everyMsByType?: Readonly<Record<string, number>>;
  /** The number of rows that an object has on this device; undefined when it is not known yet. */
  readonly rowsOf?: (object: string) => number | undefined;
}

/** Assumptions for what is not known. */
export interface CostOptions {
  /** Rows of a table that was not walked yet. */
  readonly assumedRows?: number;
  /** Values that fit into a reply of 1,400 octets. */
  readonly valuesOfPacket?: number;
}

/** Adds up what polling `devices` costs. The objects of each list of groups are found once. */
export function estimateCost(
  definitions: CompiledDefinitions,
  devices: Iterable<CostSubject>,
  { assumedRows = 10, valuesOfPacket = 50 }: CostOptions = {},
): Cost {
  const total = { devices: 0, objects: 0, series: 0, valuesPerSecond: 0, packetsPerSecond: 0 };
  const known = new Map<string, readonly ObjectCost[]>();
  for (const device of devices) {
    const key = device.deviceGroups.join('\n');
    const objects = known.get(key) ?? costsOf(definitions, device.deviceGroups);
    known.set(key, objects);
    const valuesByInterval = new Map<number, number>();
    for (const { id, columns, series, isTable, type } of objects) {
      const rows = isTable ? (device.rowsOf?.(id) ?? assumedRows) : 1;
      if (rows === 0) continue;
      const own =
        type === undefined
          ? undefined
          : (device.everyMsByType?.[type] ?? definitions.everyMsByType.get(type));
      const everyMs = own ?? device.everyMs;
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

/** Overridden attributes cost nothing: of each field only the best writer counts. */
function costsOf(definitions: CompiledDefinitions, deviceGroups: readonly string[]): ObjectCost[] {
  const ids = new Set(deviceGroups.flatMap((group) => definitions.deviceGroups.get(group)?.objects ?? []));
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
