import { type Batch, gapAt, Type, type Value, valueAt } from '../../../src/index.ts';

/** A value in JSON. Numbers that JSON would round, and NaN and infinities, are text. */
export type ShownValue = string | number | boolean | readonly string[];

/** The schema of a value in a response. */
export const valueSchema = Type.Unsafe<ShownValue>({
  title: 'RecordValue',
  type: ['number', 'string', 'boolean', 'array'],
  items: { type: 'string' },
  description: 'a number beyond 2^53 is text; a list has the names of the bits that are set',
});

/** A row of a record in JSON. */
export interface ShownRow {
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, ShownValue>>;
  /** Why values are missing, by field. */
  readonly gaps: Readonly<Record<string, string>>;
}

export function showRow({ rows, columns }: Batch, row: number): ShownRow {
  const labels: Record<string, string> = {};
  for (const [field, column] of Object.entries(rows.labels)) {
    const label = column[row];
    if (label !== undefined) labels[field] = label;
  }
  const values: Record<string, ShownValue> = {};
  const gaps: Record<string, string> = {};
  for (const column of columns) {
    const value = valueAt(column, row);
    if (value === undefined) gaps[column.field] = gapAt(column, row) ?? 'none';
    else values[column.field] = showValue(value);
  }
  return { key: rows.keys[row] ?? '', labels, values, gaps };
}

export function showValue(value: Value): ShownValue {
  const isRounded = typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value));
  return isRounded ? String(value) : value;
}
