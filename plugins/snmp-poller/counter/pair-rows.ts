import { type ColumnSource, type RecordPlan, slotOf } from '../plan/poll-plan.ts';
import type { RowSlots } from './subtract-counters.ts';

/** For each row the row of the poll before that was the same, −1 for a new one; undefined when all are where they were. */
export type RowPairs = Int32Array | undefined;

/** Rows are paired by what identifies them, never by where they stand. */
export function pairRows(before: readonly string[], now: readonly string[]): RowPairs {
  if (before === now || (before.length === now.length && now.every((key, row) => key === before[row]))) {
    return undefined;
  }
  const places = new Map(before.map((key, row) => [key, row]));
  return Int32Array.from(now, (key) => places.get(key) ?? -1);
}

/** The slots that held the same rows' values of the same attribute. */
export function pairSlots(
  source: ColumnSource,
  field: string,
  now: RecordPlan,
  before: RecordPlan,
  pairs: RowPairs,
): RowSlots {
  if (before === now && pairs === undefined) return source;
  const sources =
    before === now
      ? [source]
      : (before.columns.find(({ head }) => head.field === field)?.sources ?? []).filter(
          ({ column }) => column === source.column,
        );
  const slots = Int32Array.from(now.instances, (_, row) => {
    const earlier = pairs === undefined ? row : pairs[row]!;
    if (earlier < 0) return -1;
    return sources.map((each) => slotOf(each, earlier)).find((slot) => slot >= 0) ?? -1;
  });
  return { firstSlot: 0, slots };
}
