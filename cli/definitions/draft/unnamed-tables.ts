import type { UnnamedTable, UnnamedType } from '../../../authoring/drafts/index.ts';
import type { Oid } from '../../../src/model/index.ts';
import { berTag } from '../../../src/snmp/codec/ber-tag.ts';
import type { PackedOids } from '../coverage/packed-oids.ts';
import { cutByKind } from '../coverage/subtrees.ts';

const types: ReadonlyMap<number, UnnamedType> = new Map([
  [berTag.integer, 'Integer32'],
  [berTag.octetString, 'OctetString'],
  [berTag.objectIdentifier, 'ObjectIdentifier'],
  [berTag.ipAddress, 'IpAddress'],
  [berTag.counter32, 'Counter32'],
  [berTag.gauge32, 'Gauge32'],
  [berTag.timeTicks, 'TimeTicks'],
  [berTag.counter64, 'Counter64'],
  [berTag.uInteger32, 'UInteger32'],
]);

/** In place of a count: the instances do not all have the same number of arcs. */
const differing = -1;

interface Growing {
  readonly oid: Oid;
  readonly columns: Map<number, { type: UnnamedType; values: number }>;
  instanceArcs: number | undefined;
}

/**
 * The tables and groups of scalars of OIDs that no MIB describes, guessed from their shape. `tagAt` returns the tag of the value at a
 * place. Types that hold anything, such as Opaque, are left out.
 */
export function findUnnamedTables(oids: PackedOids, tagAt: (position: number) => number): UnnamedTable[] {
  const entries = new Map<Oid, Growing>();
  const scalars = new Map<Oid, Growing>();
  const columns = new Map<Oid, Growing>();
  for (const { kind, oid } of cutByKind(oids)) {
    if (kind === 'scalars') scalars.set(oid, { oid, columns: new Map(), instanceArcs: 0 });
    else if (kind === 'table') entries.set(oid, { oid, columns: new Map(), instanceArcs: undefined });
    else {
      const entry = oid.slice(0, oid.lastIndexOf('.'));
      const table = columns.get(entry) ?? { oid: entry, columns: new Map(), instanceArcs: undefined };
      columns.set(entry, table).set(oid, table);
    }
  }
  const arcs = new Float64Array(129);
  for (let at = 0; at < oids.size; at++) {
    oids.readArcs(at, arcs);
    const type = types.get(tagAt(at));
    const length = oids.lengthOf(at);
    const found = type && locate(arcs.subarray(0, length).join('.'), length, { entries, scalars, columns });
    if (found !== undefined) count(found.table, arcs[found.depth]!, type!, length - found.depth - 1);
  }
  return [...new Set([...entries.values(), ...scalars.values(), ...columns.values()])]
    .filter((table) => table.columns.size > 0)
    .map(({ oid, columns: of, instanceArcs }) => ({
      oid,
      columns: [...of].map(([arc, column]) => ({ arc, ...column })),
      instanceArcs: instanceArcs === differing ? undefined : instanceArcs,
    }));
}

interface Tables {
  readonly entries: ReadonlyMap<Oid, Growing>;
  readonly scalars: ReadonlyMap<Oid, Growing>;
  /** By the column, and by its entry. */
  readonly columns: ReadonlyMap<Oid, Growing>;
}

/** The table of an OID, and the place of its column among the arcs. */
function locate(
  oid: Oid,
  length: number,
  { entries, scalars, columns }: Tables,
): { readonly table: Growing; readonly depth: number } | undefined {
  const ends: number[] = [];
  for (let end = oid.length; end > 0; end = oid.lastIndexOf('.', end - 1)) ends.push(end);
  if (oid.endsWith('.0')) {
    const table = scalars.get(oid.slice(0, ends[2]));
    if (table !== undefined) return { table, depth: length - 2 };
  }
  for (const [above, end] of ends.entries()) {
    if (above === 0) continue;
    const path = oid.slice(0, end);
    const entry = entries.get(path);
    if (entry !== undefined) return { table: entry, depth: length - above };
    const column = columns.get(path);
    if (column !== undefined && column.oid !== path) return { table: column, depth: length - above - 1 };
  }
  return undefined;
}

function count(table: Growing, column: number, type: UnnamedType, arcs: number): void {
  const known = table.columns.get(column);
  if (known === undefined) table.columns.set(column, { type, values: 1 });
  else known.values++;
  if (table.instanceArcs === 0) return;
  if (arcs === 0) table.instanceArcs = differing;
  else if (table.instanceArcs === undefined) table.instanceArcs = arcs;
  else if (table.instanceArcs !== arcs) table.instanceArcs = differing;
}
