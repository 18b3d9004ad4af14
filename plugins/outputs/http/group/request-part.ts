import type { Batch } from '../../../../src/index.ts';
import { sliceRows } from './batch-rows.ts';

/** A batch to be sent, and the one of the group that it stands for; none for what was added to the group. */
export interface GroupEntry<B extends Batch = Batch> {
  readonly batch: B;
  readonly origin: Batch | undefined;
}

/** What goes in one request: some batches, or some rows of one. */
export type RequestPart<B extends Batch = Batch> = readonly GroupEntry<B>[];

/** The group in parts of at most `maxValues`, in order; a batch that has more is cut between rows. */
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

/** Two parts in place of one; undefined for a single row. */
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
