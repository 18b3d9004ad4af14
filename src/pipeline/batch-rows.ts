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
  const labels = keysOf(rows.map((row) => row.labels));
  const names = new Set([...Object.keys(fields), ...keysOf(rows.map((row) => row.values))]);
  return {
    rows: {
      count: rows.length,
      keys: rows.map(({ key }, i) => key ?? String(i + 1)),
      labels: Object.fromEntries(labels.map((field) => [field, rows.map((row) => row.labels?.[field])])),
    },
    columns: [...names].flatMap((field) => buildColumn(field, rows, fields[field])),
  };
}

function keysOf(parts: readonly (object | undefined)[]): string[] {
  return [...new Set(parts.flatMap((part) => Object.keys(part ?? {})))];
}

function buildColumn(
  field: string,
  rows: readonly RowInput[],
  declared: FieldDeclaration | undefined,
): Column[] {
  const given = rows.map((row) => row.values?.[field]);
  const kind = declared?.kind ?? kindOf(given.find((value) => value !== undefined));
  if (kind === undefined) return [];
  const values = given.map((value) => convert(value, kind));
  const gaps = Uint8Array.from(rows, ({ gap = 'noSuchInstance' }, row) => {
    if (values[row] !== undefined) return 0;
    return gapCode(given[row] === undefined ? gap : 'decode');
  });
  const unit = declared?.unit === undefined ? {} : { unit: declared.unit };
  const base = { field, ...unit, gaps: values.includes(undefined) ? gaps : undefined };
  switch (kind) {
    case 'gauge':
      return [{ ...base, metric: 'gauge', kind: 'number', values: Float64Array.from(values, Number) }];
    case 'counter':
      return [
        { ...base, metric: 'counter', kind: 'counter', words: Uint32Array.from(values.flatMap(splitWords)) },
      ];
    case 'boolean':
      return [{ ...base, kind: 'boolean', values: Uint8Array.from(values, Number) }];
    case 'text':
      return [{ ...base, kind: 'text', values: values as readonly (string | undefined)[] }];
    case 'list':
      return [{ ...base, kind: 'list', values: values as readonly (readonly string[] | undefined)[] }];
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

function splitWords(value: Value | undefined): [low: number, high: number] {
  const bits = BigInt.asUintN(64, typeof value === 'bigint' ? value : 0n);
  return [Number(bits & 0xffff_ffffn), Number(bits >> 32n)];
}
