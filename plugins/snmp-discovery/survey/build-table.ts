import type { CompiledObject } from '../../../src/definitions/index.ts';
import type { ObjectInventory } from '../../../src/index.ts';
import { weighInstance } from './device-budget.ts';
import type { RowFilter } from './row-filter.ts';
import { columnsOf, discoveryColumnOf, type TableWalk } from './table-walk.ts';

/** Rows that are handled in one step, between other work. */
const rowsPerStep = 1_000;

/** Builds the inventories of the objects of a table from at most this many of its rows. `why` says why the table was cut. */
export function* buildTable(
  walk: TableWalk,
  maxRows: number,
  why?: string,
): Generator<void, Map<string, ObjectInventory>> {
  const { objects, instances, partial } = walk;
  const built = new Map<string, ObjectInventory>();
  let shared: readonly string[] = [];
  for (const object of objects) {
    const discovery = discoveryColumnOf(object);
    const all = instances.get(discovery) ?? [];
    const own = (yield* chooseRows(all, walk.filtersOf(object))).slice(0, maxRows);
    // Objects with the same rows share one list.
    const rows = (yield* areEqual(own, shared)) ? shared : own;
    shared = rows;
    const overriding: Record<string, true | readonly number[]> = {};
    for (const [name, column] of columnsOf(object)) {
      if ((object.attributes.get(name)?.overrides.length ?? 0) === 0) continue;
      overriding[name] = yield* positionsIn(rows, instances.get(column) ?? []);
    }
    const columns = [discovery, ...columnsOf(object).values()];
    const reason = why ?? columns.flatMap((column) => partial.get(column) ?? [])[0];
    built.set(object.id, {
      hash: object.hash,
      instances: rows,
      overriding,
      ...(reason === undefined ? {} : { partial: reason }),
    });
  }
  return built;
}

function* chooseRows(
  rows: readonly string[],
  filters: readonly RowFilter[],
): Generator<void, readonly string[]> {
  if (filters.length === 0) return rows;
  const chosen: string[] = [];
  for (const [position, row] of rows.entries()) {
    if (position % rowsPerStep === 0) yield;
    if (filters.every((filter) => filter.has(row))) chosen.push(row);
  }
  return chosen;
}

/** How many rows of a table take this much memory at most. */
export function countWithin({ objects, instances, rows }: TableWalk, maxBytes: number): number {
  const columns = objects.map((object) => ({
    texts: instances.get(discoveryColumnOf(object)) ?? [],
    attributes: object.attributes.size,
  }));
  let bytes = 0;
  for (let row = 0; row < rows; row++) {
    for (const { texts, attributes } of columns) {
      const text = texts[row];
      if (text !== undefined) bytes += weighInstance(text.length, attributes);
    }
    if (bytes > maxBytes) return row;
  }
  return rows;
}

/** The known inventories of the objects of a table that could not be read. */
export function keepKnown(
  objects: readonly CompiledObject[],
  known: ReadonlyMap<string, ObjectInventory> | undefined,
  partial: string,
  maxRows: number,
): (readonly [id: string, inventory: ObjectInventory])[] {
  return objects.map(({ id, hash }) => {
    const { instances = [], overriding = {} } = known?.get(id) ?? {};
    // Positions of overriding attributes behind the last row are ignored.
    return [id, { hash, instances: instances.slice(0, maxRows), overriding, partial }];
  });
}

/** The positions of the given instances in `rows`; true when they are all of them. */
function* positionsIn(
  rows: readonly string[],
  instances: readonly string[],
): Generator<void, true | readonly number[]> {
  if (yield* areEqual(rows, instances)) return true;
  const present = new Set<string>();
  for (const [position, instance] of instances.entries()) {
    if (position % rowsPerStep === 0) yield;
    present.add(instance);
  }
  const positions: number[] = [];
  for (const [position, row] of rows.entries()) {
    if (position % rowsPerStep === 0) yield;
    if (present.has(row)) positions.push(position);
  }
  return positions.length === rows.length ? true : positions;
}

/** Whether two lists have the same texts. */
function* areEqual(one: readonly string[], other: readonly string[]): Generator<void, boolean> {
  if (one.length !== other.length) return false;
  for (let position = 0; position < one.length; position++) {
    if (position % rowsPerStep === 0) yield;
    if (one[position] !== other[position]) return false;
  }
  return true;
}
