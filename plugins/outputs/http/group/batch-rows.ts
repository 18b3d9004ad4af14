import type { Batch, Column } from '../../../../src/index.ts';

/** The rows from `from` to before `to` as a batch of their own, which shares the numbers. */
export function sliceRows<B extends Batch>(batch: B, from: number, to: number): B {
  const { rows, columns } = batch;
  const labels = Object.entries(rows.labels).map(([field, values]) => [field, values.slice(from, to)]);
  return {
    ...batch,
    rows: {
      count: to - from,
      keys: rows.keys.slice(from, to),
      labels: Object.fromEntries(labels),
    },
    columns: columns.map((column) => sliceColumn(column, from, to)),
  };
}

function sliceColumn(column: Column, from: number, to: number): Column {
  const gaps = column.gaps?.subarray(from, to);
  switch (column.kind) {
    case 'number':
      return { ...column, gaps, values: column.values.subarray(from, to) };
    case 'counter':
      return { ...column, gaps, words: column.words.subarray(2 * from, 2 * to) };
    case 'boolean':
      return { ...column, gaps, values: column.values.subarray(from, to) };
    case 'text':
      return { ...column, gaps, values: column.values.slice(from, to) };
    default:
      return { ...column, gaps, values: column.values.slice(from, to) };
  }
}
