import type { Oid } from '../../model/oid.ts';
import { oidBefore } from '../codec/oid-before.ts';
import { compareOidBytes } from '../codec/oid-bytes.ts';
import { encodeValidOid } from '../request/split-request.ts';
import { CompiledRequest, type Dialect, minBulkValues, type RequestParts } from './compiled-request.ts';

/** Limits of every message of a compiled request. */
export interface CompileLimits {
  readonly dialect: Dialect;
  /** The largest reply; 1,472 by default. */
  readonly maxBytes?: number | undefined;
  /** OIDs per GET; 60 by default. */
  readonly maxOids?: number | undefined;
}

/** A table or some of its columns, with known rows. */
export interface TableParts extends CompileLimits {
  readonly columns: readonly Oid[];
  /** The index part of each row, in the order in which agents answer. */
  readonly instances: readonly Oid[];
  /** The value of column c at row r lands in slot `firstSlot + c * instances.length + r`. */
  readonly firstSlot: number;
}

/** Reads single instances by GET; OID i lands in slot `firstSlot + i`. */
export function compileGet(
  parts: CompileLimits & { readonly oids: readonly Oid[]; readonly firstSlot: number },
): CompiledRequest {
  const { oids, firstSlot } = parts;
  const cells = oids.map((oid, i) => ({
    column: oid,
    oids: [encodeValidOid(oid)],
    slots: Uint32Array.of(firstSlot + i),
  }));
  return compile(parts, join(cells));
}

/** Adjacent columns become a separate stream when they fill about half a reply. */
const minStreamValues = 32;

/**
 * Reads a table with known rows in as few packets as its replies allow. Columns with consecutive numbers are one stream:
 * a GETBULK of one OID reads column after column, and every reply is full. Other columns are read side by side. SNMPv1
 * has no GETBULK and uses GET.
 */
export function compileTable(parts: TableParts): CompiledRequest[] {
  const { columns, instances, firstSlot, dialect } = parts;
  const rows = instances.length;
  if (rows === 0) return [];
  const sorted = columns
    .map((oid, index) => ({ octets: encodeValidOid(oid), oid, firstSlot: firstSlot + index * rows }))
    .sort((a, b) => compareOidBytes(a.octets, 0, a.octets.length, b.octets, 0, b.octets.length));
  const cells = sorted.map((column) => cellsOf(column.oid, instances, column.firstSlot));
  if (dialect.version === '1' || rows === 1 || rows * columns.length < minBulkValues) {
    return [compile(parts, join(cells))];
  }
  const requests: CompiledRequest[] = [];
  const rest: Column[] = [];
  for (let start = 0, end = 1; start < sorted.length; start = end, end = start + 1) {
    while (end < sorted.length && isNext(sorted[end - 1]!.octets, sorted[end]!.octets)) end++;
    const run = cells.slice(start, end);
    if (run.length * rows < minStreamValues) rest.push(...run);
    else requests.push(compile(parts, join(run), [run[0]!]));
  }
  if (rest.length > 0) requests.push(compile(parts, interleave(rest), rest));
  return requests;
}

/** The cells of one column. A scalar is a column with one cell. */
interface Column {
  readonly column: Oid;
  readonly oids: readonly Uint8Array[];
  readonly slots: Uint32Array;
}

type Cells = Pick<RequestParts, 'columns' | 'oids' | 'slots'>;

function compile(limits: CompileLimits, cells: Cells, columns: readonly Column[] = []): CompiledRequest {
  return new CompiledRequest({
    ...cells,
    dialect: limits.dialect,
    width: columns.length,
    starts: columns.map((column) => oidBefore(column.oids[0]!)),
    maxBytes: limits.maxBytes ?? 1_472,
    maxOids: limits.maxOids ?? 60,
  });
}

function cellsOf(column: Oid, instances: readonly Oid[], firstSlot: number): Column {
  return {
    column,
    oids: instances.map((instance) => encodeValidOid(`${column}.${instance}`)),
    slots: Uint32Array.from(instances, (_, row) => firstSlot + row),
  };
}

function join(columns: readonly Column[]): Cells {
  return {
    columns: columns.map(({ column }) => column),
    oids: columns.flatMap((column) => column.oids),
    slots: Uint32Array.from(columns.flatMap((column) => [...column.slots])),
  };
}

function interleave(columns: readonly Column[]): Cells {
  const rows = columns[0]!.oids.map((_, row) => row);
  return {
    columns: columns.map(({ column }) => column),
    oids: rows.flatMap((row) => columns.map((column) => column.oids[row]!)),
    slots: Uint32Array.from(rows.flatMap((row) => columns.map((column) => column.slots[row]!))),
  };
}

/** Whether the second column is the first one's neighbour: the same parent and the next number. */
function isNext(first: Uint8Array, second: Uint8Array): boolean {
  const last = first.length - 1;
  if (first.length !== second.length || first[last]! >= 0x7f || second[last] !== first[last]! + 1)
    return false;
  return first.subarray(0, last).every((octet, i) => octet === second[i]);
}
