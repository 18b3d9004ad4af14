import { type ColumnSource, type RecordPlan, slotOf } from '../plan/poll-plan.ts';

/** Which row of the poll before a row was; −1 for one that is new. */
export type RowPairs = (row: number) => number;

/** Rows are paired by what identifies them, never by where they stand. */
export function pairRows(before: readonly string[], now: readonly string[]): RowPairs {
  if (before === now || (before.length === now.length && now.every((key, row) => key === before[row]))) {
    return (row) => row;
  }
  const places = new Map(before.map((key, row) => [key, row]));
  const pairs = Int32Array.from(now, (key) => places.get(key) ?? -1);
  return (row) => pairs[row]!;
}

/** The slot that held the same row's value of the same attribute; −1 where there was none. */
export function pairSlots(
  source: ColumnSource,
  field: string,
  plan: RecordPlan,
  before: RecordPlan,
  rows: RowPairs,
): (row: number) => number {
  const sources =
    before === plan
      ? [source]
      : (before.columns.find(({ head }) => head.field === field)?.sources ?? []).filter(
          ({ column }) => column === source.column,
        );
  return (row) => {
    const earlier = rows(row);
    if (earlier < 0) return -1;
    for (const each of sources) {
      const slot = slotOf(each, earlier);
      if (slot >= 0) return slot;
    }
    return -1;
  };
}
