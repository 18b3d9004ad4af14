import type {
  CompiledDefinitions,
  CompiledObject,
} from '../../../definitions/compiler/compiled-definitions.ts';
import { parentOid } from '../../../definitions/parent-oid.ts';
import type { Oid } from '../../../model/oid.ts';
import { cutSubtrees, type Subtree } from './subtrees.ts';

export interface Coverage {
  /** Values of the objects of the device group. */
  readonly collected: readonly ObjectValues[];
  /** Values of objects that are defined, but not in the device group. */
  readonly elsewhere: readonly ObjectValues[];
  /** Values that no attribute reads, the largest subtrees first. */
  readonly uncollected: readonly UncollectedValues[];
  /** Objects of the device group without any value. */
  readonly unanswered: readonly string[];
  /** Attributes without a value, in objects that have values. */
  readonly missing: readonly MissingAttributes[];
}

export interface ObjectValues {
  readonly object: string;
  readonly values: number;
}

export interface UncollectedValues extends Subtree {
  /** Set when these are further columns of the table of this object. */
  readonly object?: string;
}

export interface MissingAttributes {
  readonly object: string;
  readonly attributes: readonly string[];
}

/** Compares the OIDs of a device with the definitions. `wanted` are the objects that would be polled. */
export function measureCoverage(
  oids: readonly Oid[],
  { objects }: Pick<CompiledDefinitions, 'objects'>,
  wanted: ReadonlySet<string>,
): Coverage {
  const columns = columnsOf(objects);
  const tables = tablesOf(objects);
  const values = new Map<string, number>();
  const answered = new Set<Oid>();
  const unknown: Oid[] = [];
  const furtherColumns = new Map<
    string,
    { readonly oid: Oid; readonly columns: Set<string>; values: number }
  >();
  for (const oid of oids) {
    const column = findPrefix(oid, columns);
    const object = column && columns.get(column);
    if (object !== undefined) {
      answered.add(column!);
      values.set(object, (values.get(object) ?? 0) + 1);
      continue;
    }
    const entry = findPrefix(oid, tables);
    const table = entry && tables.get(entry);
    if (table === undefined) {
      unknown.push(oid);
      continue;
    }
    const further = furtherColumns.get(table) ?? { oid: entry!, columns: new Set(), values: 0 };
    furtherColumns.set(table, further);
    further.columns.add(oid.slice(entry!.length + 1).split('.', 1)[0]!);
    further.values++;
  }
  const counted = [...values].map(([object, count]) => ({ object, values: count }));
  const uncollected = [
    ...[...furtherColumns].map(([object, { oid, columns, values }]) => ({
      oid,
      object,
      values,
      columns: columns.size,
    })),
    ...cutSubtrees(unknown),
  ];
  return {
    collected: counted.filter(({ object }) => wanted.has(object)).sort(mostFirst),
    elsewhere: counted.filter(({ object }) => !wanted.has(object)).sort(mostFirst),
    uncollected: uncollected.sort(mostFirst),
    unanswered: [...wanted].filter((object) => objects.has(object) && !values.has(object)),
    missing: [...objects.values()].flatMap(({ id, attributes }) => {
      if (!wanted.has(id) || !values.has(id)) return [];
      const absent = [...attributes.values()].filter(({ column }) => !answered.has(column));
      return absent.length === 0 ? [] : [{ object: id, attributes: absent.map(({ name }) => name) }];
    }),
  };
}

/** The object that reads each column, index columns included. An attribute takes precedence over a part of an index. */
function columnsOf(objects: CompiledDefinitions['objects']): Map<Oid, string> {
  const columns = new Map<Oid, string>();
  for (const { id, attributes } of objects.values()) {
    for (const { column } of attributes.values()) if (!columns.has(column)) columns.set(column, id);
  }
  for (const { id, record, index } of objects.values()) {
    if (record !== id) continue;
    for (const { column } of index) if (column !== undefined && !columns.has(column)) columns.set(column, id);
  }
  return columns;
}

function tablesOf(objects: CompiledDefinitions['objects']): Map<Oid, string> {
  const tables = new Map<Oid, string>();
  for (const { id, index, attributes } of objects.values()) {
    if (index.length === 0) continue;
    for (const { column } of attributes.values()) {
      const entry = parentOid(column);
      if (!tables.has(entry)) tables.set(entry, id);
    }
  }
  return tables;
}

function findPrefix(oid: Oid, known: ReadonlyMap<Oid, string>): Oid | undefined {
  for (let prefix = parentOid(oid); prefix !== ''; prefix = parentOid(prefix)) {
    if (known.has(prefix)) return prefix;
  }
  return undefined;
}

function mostFirst(left: Pick<Subtree, 'values'>, right: Pick<Subtree, 'values'>): number {
  return right.values - left.values;
}

/** The objects of a device group, or all of them. */
export function objectsOf(
  { objects, deviceGroups }: Pick<CompiledDefinitions, 'objects' | 'deviceGroups'>,
  deviceGroup: string | undefined,
): ReadonlySet<CompiledObject['id']> {
  const group = deviceGroup === undefined ? undefined : deviceGroups.get(deviceGroup);
  return new Set(group === undefined ? objects.keys() : group.objects);
}
