import type {
  DeviceDetails,
  DeviceRecord,
  RecordField,
  RecordRow,
  RecordValue,
} from '../../../../../src/client/index.ts';

/** The rows of one record, from all polls that fill it. */
export interface RecordTable {
  readonly record: string;
  readonly fields: readonly RecordField[];
  readonly rows: readonly RecordRow[];
  /** When the oldest of its polls was read. */
  readonly at: string;
}

/** What every tab of a device shows from. */
export interface DeviceTabProps {
  readonly device: DeviceDetails;
  readonly tables: readonly RecordTable[];
}

/** Joins the parts of a record that are polled at different intervals. */
export function joinRecords(records: readonly DeviceRecord[]): RecordTable[] {
  const tables = new Map<
    string,
    { fields: Map<string, RecordField>; rows: Map<string, RecordRow>; at: string }
  >();
  for (const { record, fields, rows, at } of records) {
    const table = tables.get(record) ?? { fields: new Map(), rows: new Map(), at };
    tables.set(record, table);
    for (const each of fields) table.fields.set(each.field, each);
    for (const row of rows) table.rows.set(row.key, joinRow(table.rows.get(row.key), row));
    if (at < table.at) table.at = at;
  }
  return [...tables]
    .map(([record, { fields, rows, at }]) => ({
      record,
      fields: [...fields.values()],
      rows: [...rows.values()],
      at,
    }))
    .sort((a, b) => (a.record < b.record ? -1 : 1));
}

function joinRow(before: RecordRow | undefined, row: RecordRow): RecordRow {
  if (before === undefined) return row;
  return {
    key: row.key,
    labels: { ...before.labels, ...row.labels },
    values: { ...before.values, ...row.values },
    gaps: { ...before.gaps, ...row.gaps },
  };
}

export function rowsOf(tables: readonly RecordTable[], record: string): readonly RecordRow[] {
  return tables.find((table) => table.record === record)?.rows ?? [];
}

/** A value as a number; undefined when it is missing or is none. Numbers beyond 2^53 come as text. */
export function numberOf(row: RecordRow, field: string): number | undefined {
  const value = row.values[field];
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value)) return undefined;
  return Number(value);
}

/** A label or a value as text; empty when there is none. */
export function textOf(row: RecordRow | undefined, field: string): string {
  if (row === undefined) return '';
  return showValue(row.labels[field] ?? row.values[field]);
}

export function showValue(value: RecordValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}
