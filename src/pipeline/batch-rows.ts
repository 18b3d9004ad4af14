import type { Column, Rows, Value } from '../model/batch.ts';
import { type GapReason, gapCode } from '../model/gap.ts';

/** A row as a document looks. */
export interface RowInput {
  /** What identifies the row from one batch to the next; its number, from 1, by default. */
  readonly key?: string;
  /** Dimensions: text that distinguishes this row from others. */
  readonly labels?: Readonly<Record<string, string | undefined>>;
  readonly values?: Readonly<Record<string, Value | undefined>>;
  /** Why this row lacks a value that its record has; `noSuchInstance` by default. */
  readonly gap?: GapReason;
}

/** What a value alone does not say about its field. */
export interface FieldDeclaration {
  readonly kind: 'gauge' | 'counter' | 'boolean' | 'text' | 'list';
  readonly unit?: string;
}

/**
 * Columns from rows. A declared field has a column in every batch. Any other is as its first value: a number is a gauge, a
 * bigint a counter with all its bits; booleans, text and lists have a column of their kind. A value that is missing, or of
 * another kind than its column, is a gap.
 */
export function buildColumns(
  rows: readonly RowInput[],
  fields: Readonly<Record<string, FieldDeclaration>> = {},
): { readonly rows: Rows; readonly columns: readonly Column[] } {
  const names = new Set(Object.keys(fields));
  for (const { values } of rows) for (const field in values) names.add(field);
  const columns: Column[] = [];
  for (const field of names) {
    const column = buildColumn(field, rows, fields[field]);
    if (column !== undefined) columns.push(column);
  }
  return {
    rows: {
      count: rows.length,
      keys: rows.map(({ key }, i) => key ?? String(i + 1)),
      labels: Object.fromEntries(
        labelsOf(rows).map((field) => [field, rows.map((row) => row.labels?.[field])]),
      ),
    },
    columns,
  };
}

function labelsOf(rows: readonly RowInput[]): readonly string[] {
  const [first] = rows;
  if (rows.length === 1) return Object.keys(first!.labels ?? {});
  return [...new Set(rows.flatMap(({ labels = {} }) => Object.keys(labels)))];
}

/** The column of a batch of one row; undefined for a value that does not fit what is declared. */
export function columnOfOne(field: string, value: Value, declared?: FieldDeclaration): Column | undefined {
  const kind = declared?.kind ?? kindOf(value)!;
  const converted = convert(value, kind);
  if (converted === undefined) return undefined;
  const column = toColumn(field, undefined, kind, [converted]);
  return declared?.unit === undefined ? column : { ...column, unit: declared.unit };
}

/** Its loop has few objects: a source may send tens of thousands of rows per second, each in a batch of its own. */
function buildColumn(
  field: string,
  rows: readonly RowInput[],
  declared: FieldDeclaration | undefined,
): Column | undefined {
  const count = rows.length;
  let kind = declared?.kind;
  for (let row = 0; kind === undefined && row < count; row++) kind = kindOf(rows[row]!.values?.[field]);
  if (kind === undefined) return undefined;
  let gaps: Uint8Array | undefined;
  const values: (Value | undefined)[] = [];
  for (let row = 0; row < count; row++) {
    const { values: given, gap = 'noSuchInstance' } = rows[row]!;
    const value = convert(given?.[field], kind);
    values.push(value);
    if (value !== undefined) continue;
    gaps ??= new Uint8Array(count);
    gaps[row] = gapCode(given?.[field] === undefined ? gap : 'decode');
  }
  const unit = declared?.unit;
  const column = toColumn(field, gaps, kind, values);
  return unit === undefined ? column : { ...column, unit };
}

/** Without spreads, which cost more than all else here. */
function toColumn(
  field: string,
  gaps: Uint8Array | undefined,
  kind: FieldDeclaration['kind'],
  values: readonly (Value | undefined)[],
): Column {
  const count = values.length;
  switch (kind) {
    case 'gauge': {
      const numbers = new Float64Array(count);
      for (let row = 0; row < count; row++) numbers[row] = Number(values[row]);
      return { field, gaps, metric: 'gauge', kind: 'number', values: numbers };
    }
    case 'counter': {
      const words = new Uint32Array(2 * count);
      for (let row = 0; row < count; row++) {
        const bits = BigInt.asUintN(64, (values[row] as bigint | undefined) ?? 0n);
        words[2 * row] = Number(bits & 0xffff_ffffn);
        words[2 * row + 1] = Number(bits >> 32n);
      }
      return { field, gaps, metric: 'counter', kind: 'counter', words };
    }
    case 'boolean': {
      const flags = new Uint8Array(count);
      for (let row = 0; row < count; row++) flags[row] = Number(values[row] ?? false);
      return { field, gaps, kind: 'boolean', values: flags };
    }
    case 'text':
      return { field, gaps, kind: 'text', values: values as readonly (string | undefined)[] };
    case 'list':
      return { field, gaps, kind: 'list', values: values as readonly (readonly string[] | undefined)[] };
  }
}

function kindOf(value: Value | undefined): FieldDeclaration['kind'] | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'number':
      return 'gauge';
    case 'bigint':
      return 'counter';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'text';
    default:
      return 'list';
  }
}

/** The value as its column holds it; undefined when it does not fit. */
function convert(value: Value | undefined, kind: FieldDeclaration['kind']): Value | undefined {
  if (kind === 'gauge' && typeof value === 'bigint') return Number(value);
  if (kind === 'counter' && typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  }
  return kindOf(value) === kind ? value : undefined;
}
