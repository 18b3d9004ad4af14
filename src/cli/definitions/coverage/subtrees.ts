import { compareOids, type Oid } from '../../../model/oid.ts';

/** OIDs that belong together: a table, a single column, or neighbouring scalars. */
export interface Subtree {
  /** The entry of a table, a column, or the parent of scalars. */
  readonly oid: Oid;
  readonly values: number;
  /** The columns of a table. Scalars count as columns of one row. */
  readonly columns: number;
}

/**
 * Groups OIDs that no definition covers into tables. Without a MIB only their shape helps: the OID of an entry ends with 1
 * (RFC 2578 §7.1.12), and its columns have the same instances.
 */
export function cutSubtrees(oids: readonly Oid[]): Subtree[] {
  const sorted = [...oids].sort(compareOids).map((oid) => oid.split('.'));
  return cut({ oids: sorted, depth: 0 }).map(({ kind: _, ...subtree }) => subtree);
}

/** OIDs that share their first `depth` arcs. */
interface Branch {
  readonly oids: readonly (readonly string[])[];
  readonly depth: number;
}

interface Cut extends Subtree {
  readonly kind: 'table' | 'column' | 'scalars';
}

function cut({ oids, depth }: Branch): Cut[] {
  if (oids.length === 0) return [];
  const scalars = oids.filter((oid) => oid.length === depth + 2 && oid[depth + 1] === '0');
  const others = scalars.length === 0 ? oids : oids.filter((oid) => !scalars.includes(oid));
  const cuts = cutTables({ oids: others, depth });
  if (scalars.length === 0) return cuts;
  return [
    { kind: 'scalars', oid: prefixOf(scalars, depth), values: scalars.length, columns: scalars.length },
    ...cuts,
  ];
}

function cutTables(branch: Branch): Cut[] {
  const { oids, depth } = branch;
  if (oids.length === 0) return [];
  const oid = prefixOf(oids, depth);
  const children = childrenOf(branch);
  if (oids.some((each) => each.length <= depth + 1)) {
    return [{ kind: 'column', oid, values: oids.length, columns: 1 }];
  }
  if (isEntry(branch, children)) {
    return [{ kind: 'table', oid, values: oids.length, columns: children.length }];
  }
  const cuts = children.flatMap(cut);
  const isColumn = oids[0]![depth - 2] === '1';
  const isOneColumn = isColumn && cuts.length > 1 && cuts.every(({ kind }) => kind === 'column');
  return isOneColumn ? [{ kind: 'column', oid, values: oids.length, columns: 1 }] : cuts;
}

function childrenOf({ oids, depth }: Branch): Branch[] {
  const children: { oids: (readonly string[])[]; readonly depth: number }[] = [];
  let arc: string | undefined;
  for (const oid of oids) {
    if (children.length === 0 || oid[depth] !== arc) children.push({ oids: [], depth: depth + 1 });
    arc = oid[depth];
    children.at(-1)!.oids.push(oid);
  }
  return children;
}

/** Whether at least half of the columns have half of the instances of the longest one. */
function isEntry({ oids, depth }: Branch, columns: readonly Branch[]): boolean {
  if (depth === 0 || oids[0]![depth - 1] !== '1' || columns.length < 2) return false;
  const longest = columns.reduce((most, column) => (column.oids.length > most.oids.length ? column : most));
  const instances = new Set(longest.oids.map((oid) => instanceOf(oid, depth)));
  const alike = columns.filter(
    (column) =>
      column !== longest &&
      2 * column.oids.filter((oid) => instances.has(instanceOf(oid, depth))).length >= column.oids.length,
  );
  return 2 * alike.length >= columns.length - 1;
}

function instanceOf(oid: readonly string[], depth: number): string {
  return oid.slice(depth + 1).join('.');
}

function prefixOf(oids: Branch['oids'], depth: number): Oid {
  return oids[0]!.slice(0, depth).join('.');
}
