import type { Batch, Column } from '../../model/batch.ts';

/** A batch to send, and the batch of the group that it stands for. `origin` is undefined for a batch that was added to the group. */
export interface GroupEntry<B extends Batch = Batch> {
  readonly batch: B;
  readonly origin: Batch | undefined;
}

/** The content of one request: some batches, or some rows of one batch. */
export type RequestPart<B extends Batch = Batch> = readonly GroupEntry<B>[];

/** Cuts the group into parts of at most `maxValues`, in order. A batch with more values is cut between rows. */
export function divideGroup<B extends Batch>(
  group: readonly GroupEntry<B>[],
  maxValues: number,
): RequestPart<B>[] {
  const parts: RequestPart<B>[] = [];
  let part: GroupEntry<B>[] = [];
  let values = 0;
  const finish = () => {
    if (part.length > 0) parts.push(part);
    part = [];
    values = 0;
  };
  for (const entry of group) {
    const { rows, columns } = entry.batch;
    const own = countValues([entry]);
    if (values + own > maxValues) finish();
    if (own > maxValues) {
      const step = Math.max(1, Math.floor(maxValues / columns.length));
      for (let row = 0; row < rows.count; row += step) {
        parts.push([cutEntry(entry, row, Math.min(row + step, rows.count))]);
      }
    } else {
      part.push(entry);
      values += own;
    }
  }
  finish();
  return parts;
}

export function countValues(part: RequestPart): number {
  return part.reduce((sum, { batch }) => sum + batch.rows.count * batch.columns.length, 0);
}

/** Cuts a part in two. Undefined for a part of a single row. */
export function halve<B extends Batch>(
  part: RequestPart<B>,
): readonly [RequestPart<B>, RequestPart<B>] | undefined {
  if (part.length > 1) return [part.slice(0, part.length >> 1), part.slice(part.length >> 1)];
  const [entry] = part;
  if (entry === undefined || entry.batch.rows.count < 2) return undefined;
  const { count } = entry.batch.rows;
  return [[cutEntry(entry, 0, count >> 1)], [cutEntry(entry, count >> 1, count)]];
}

function cutEntry<B extends Batch>(
  { batch, origin }: GroupEntry<B>,
  from: number,
  to: number,
): GroupEntry<B> {
  return { batch: sliceRows(batch, from, to), origin };
}

/** The rows from `from` to before `to` as a batch that shares the numbers. */
function sliceRows<B extends Batch>(batch: B, from: number, to: number): B {
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
