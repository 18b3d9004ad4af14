import { type Batch, type Value, valueAt } from '../../../../src/index.ts';

/** A batch as text, to read and to compare. */
export interface ShownRecord {
  /** The object id and the plan. */
  readonly title: string;
  readonly rows: readonly ShownRow[];
}

export interface ShownRow {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

export function showBatch({ record, plan, rows, columns }: Batch): ShownRecord {
  const labelColumns = Object.entries(rows.labels);
  return {
    title: `${record} ${plan}`,
    rows: Array.from({ length: rows.count }, (_, row): ShownRow => {
      const labels: Record<string, string> = {};
      for (const [field, column] of labelColumns) {
        const label = column[row];
        if (label !== undefined) labels[field] = label;
      }
      const values: Record<string, string> = {};
      for (const column of columns) {
        const value = valueAt(column, row);
        if (value !== undefined) values[column.field] = showValue(value);
      }
      return { labels, values };
    }),
  };
}

function showValue(value: Value): string {
  return typeof value === 'object' ? `[${value.join(', ')}]` : String(value);
}

/** Records as lines: a title, below it the labels of each row, below them its values. Sorted, so that the order does not matter. */
export function linesOf(records: readonly ShownRecord[]): string[] {
  return records
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))
    .flatMap(({ title, rows }) => [title, ...rows.map(blockOf).sort()])
    .flatMap((block) => block.split('\n'));
}

function blockOf({ labels, values }: ShownRow): string {
  const fields = Object.keys(values).sort();
  return [
    `  ${sortedEntries(labels) || '(no label)'}`,
    ...fields.map((field) => `    ${field} ${quoted(values[field]!)}`),
  ].join('\n');
}

function sortedEntries(labels: ShownRow['labels']): string {
  return Object.keys(labels)
    .sort()
    .map((field) => `${field}=${quoted(labels[field]!)}`)
    .join(' ');
}

/** Quoted unless it is a single word. */
function quoted(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) && !text.startsWith('"') ? text : JSON.stringify(text);
}
