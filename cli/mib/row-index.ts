import type { MibNode, MibSet } from '../../authoring/mib/index.ts';
import { formatEnum, formatOctets } from './value-text.ts';

/** What identifies the rows of a table. */
export interface RowIndex {
  readonly columns: readonly MibNode[];
  /** Whether the last column has no length in front of it. */
  readonly isImplied: boolean;
}

/** A row that augments one that augments another, and so on: more than this is a circle. */
const maxHops = 8;

/** The index of a row, or of the row that a column is in. Undefined for other nodes and where a column of the index is nowhere. */
export function findIndex(set: MibSet, node: MibNode): RowIndex | undefined {
  let row = node.kind === 'column' ? findRow(set, node) : node;
  for (let hops = 0; row?.augments !== undefined && hops < maxHops; hops++) {
    row = set.findWithin(row.module, row.augments);
  }
  if (row?.index === undefined) return undefined;
  const { module, index, implied = false } = row;
  const columns = index.map((name) => set.findWithin(module, name));
  return columns.every((column) => column !== undefined) ? { columns, isImplied: implied } : undefined;
}

function findRow(set: MibSet, { module, oid = '' }: MibNode): MibNode | undefined {
  const above = oid.slice(0, oid.lastIndexOf('.'));
  return set.module(module)?.nodes.find((node) => node.kind === 'row' && node.oid === above);
}

/** A value of an index, as a person reads it. */
export interface IndexValue {
  readonly name: string;
  readonly value: string;
}

/** The values in an instance (RFC 2578, 7.7). Undefined where its numbers do not fit the index. */
export function decodeInstance(instance: string, { columns, isImplied }: RowIndex): IndexValue[] | undefined {
  const arcs = instance.split('.').map(Number);
  const values: IndexValue[] = [];
  let at = 0;
  for (const [place, column] of columns.entries()) {
    const isLast = place === columns.length - 1;
    const counted = countArcs(column, isImplied && isLast ? arcs.length - at : arcs[at], isImplied && isLast);
    if (counted === undefined) return undefined;
    const [prefix, count] = counted;
    const own = arcs.slice(at + prefix, at + prefix + count);
    const value = own.length === count ? formatArcs(column, own) : undefined;
    if (value === undefined) return undefined;
    values.push({ name: column.name, value });
    at += prefix + count;
  }
  return at === arcs.length ? values : undefined;
}

/** How many arcs a value has, and how many come before it. `next` is the first arc, or for an implied value the number of those left. */
function countArcs(
  { type, ranges }: MibNode,
  next: number | undefined,
  isImplied: boolean,
): readonly [prefix: number, count: number] | undefined {
  if (next === undefined) return undefined;
  switch (type) {
    case 'OctetString':
    case 'Bits':
    case 'Opaque': {
      const [range, ...others] = ranges ?? [];
      const isFixed = range !== undefined && others.length === 0 && range.min === range.max;
      if (isFixed) return [0, Number(range.min)];
      return isImplied ? [0, next] : [1, next];
    }
    case 'ObjectIdentifier':
      return isImplied ? [0, next] : [1, next];
    case 'IpAddress':
      return [0, 4];
    case undefined:
      return undefined;
    default:
      return [0, 1];
  }
}

function formatArcs(column: MibNode, arcs: readonly number[]): string | undefined {
  switch (column.type) {
    case 'OctetString':
    case 'Bits':
    case 'Opaque':
      return arcs.every((arc) => arc < 256) ? formatOctets(column, Buffer.from(arcs)) : undefined;
    case 'ObjectIdentifier':
    case 'IpAddress':
      return arcs.join('.');
    default:
      return formatEnum(column, arcs[0]!) ?? String(arcs[0]);
  }
}
