import type { Batch } from '../../../../src/index.ts';
import { sliceRows } from './batch-rows.ts';

/** What goes in one request: some batches, or some rows of one. */
export interface RequestPart {
  readonly batches: readonly Batch[];
  /** The batches of the group that these are, or are rows of. */
  readonly origins: readonly Batch[];
}

/** The group in parts of at most `maxValues`, in order; a batch that has more is cut between rows. */
export function divideGroup(group: readonly Batch[], maxValues: number): RequestPart[] {
  const parts: RequestPart[] = [];
  let batches: Batch[] = [];
  let values = 0;
  const finish = () => {
    if (batches.length > 0) parts.push({ batches, origins: batches });
    batches = [];
    values = 0;
  };
  for (const batch of group) {
    const { count } = batch.rows;
    const own = count * batch.columns.length;
    if (values + own > maxValues) finish();
    if (own > maxValues) {
      const rows = Math.max(1, Math.floor(maxValues / batch.columns.length));
      for (let row = 0; row < count; row += rows) {
        parts.push({ batches: [sliceRows(batch, row, Math.min(row + rows, count))], origins: [batch] });
      }
    } else {
      batches.push(batch);
      values += own;
    }
  }
  finish();
  return parts;
}

/** Two parts in place of one; undefined for a single row. */
export function halve({ batches, origins }: RequestPart): [RequestPart, RequestPart] | undefined {
  if (batches.length > 1) {
    const middle = batches.length >> 1;
    return [
      { batches: batches.slice(0, middle), origins: origins.slice(0, middle) },
      { batches: batches.slice(middle), origins: origins.slice(middle) },
    ];
  }
  const [batch] = batches;
  if (batch === undefined || batch.rows.count < 2) return undefined;
  const middle = batch.rows.count >> 1;
  return [
    { batches: [sliceRows(batch, 0, middle)], origins },
    { batches: [sliceRows(batch, middle, batch.rows.count)], origins },
  ];
}
