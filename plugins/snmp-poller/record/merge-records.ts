import { type Column, gapCode, type Rows } from '../../../src/index.ts';
import type { AssembledRecord } from './assembled-record.ts';
import { mergeColumns } from './merge-values.ts';

const noWriter = gapCode('noSuchInstance');

/** The rows of several tables as one list, kept while none of them changes. */
export interface MergedRows {
  readonly parts: readonly Rows[];
  readonly rows: Rows;
}

/** The rows of several tables of one record, one table after the other. */
export function mergeRows(parts: readonly Rows[], before: MergedRows | undefined): MergedRows {
  if (before?.parts.length === parts.length && before.parts.every((part, i) => part === parts[i])) {
    return before;
  }
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const labels: Record<string, (string | undefined)[]> = {};
  for (const label of new Set(parts.flatMap((part) => Object.keys(part.labels)))) {
    labels[label] = parts.flatMap(
      (part) => part.labels[label] ?? new Array<string | undefined>(part.count).fill(undefined),
    );
  }
  return { parts, rows: { count, keys: parts.flatMap(({ keys }) => keys), labels } };
}

/** The columns of several tables of one record. A row of a table without a column has the gap `noSuchInstance`. */
export function mergeRecords(parts: readonly AssembledRecord[], rows: Rows): AssembledRecord {
  const fields = new Set(parts.flatMap(({ columns }) => columns.map(({ field }) => field)));
  const columns = [...fields].map((field): Column => {
    const found = parts.map(({ columns }) => columns.find((column) => column.field === field));
    return mergeColumns(
      found.map((column, i) => ({ column, count: parts[i]!.rows.count })),
      rows.count,
      noWriter,
    );
  });
  return { record: parts[0]!.record, rows, columns };
}
