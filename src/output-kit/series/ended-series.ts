import type { Batch, Column, Rows } from '../../model/batch.ts';
import { gapCode } from '../../model/gap.ts';

/** A batch with what `createTrackedWriter` knows about its series. */
export interface TrackedBatch extends Batch {
  /** True when its values are the last ones of series that ended before its slot. */
  readonly ends: boolean;
}

const filtered = gapCode('filtered');

/**
 * Returns a batch of the series that `before` had and `batch` no longer has: missing rows, missing values, and all labels of a row of
 * which one has changed. `isLabel` selects the columns whose values are labels. Undefined when no series has ended.
 */
export function findEndedSeries(
  before: TrackedBatch,
  batch: Batch,
  isLabel: (column: Column) => boolean,
): TrackedBatch | undefined {
  const { count } = before.rows;
  const rowsNow = before.rows === batch.rows ? undefined : matchRows(before.rows, batch.rows);
  const relabelled = findRelabelled(before, batch, rowsNow, isLabel);
  const columnsNow = new Map(batch.columns.map((column) => [column.field, column]));
  const none = new Uint8Array(count).fill(filtered);
  let ended = false;
  const columns = before.columns.map((column): Column => {
    const now = columnsNow.get(column.field);
    const isPlain = !isLabel(column);
    if (isPlain ? rowsNow === undefined && now !== undefined && now.gaps === undefined : !relabelled.hasAny) {
      return { ...column, gaps: none };
    }
    const gaps = new Uint8Array(count);
    for (let row = 0; row < count; row++) {
      const other = rowsNow === undefined ? row : rowsNow[row];
      const lives = isPlain
        ? other !== undefined && now !== undefined && isThere(now, other)
        : relabelled.rows[row] !== 1;
      if (lives || !isThere(column, row)) gaps[row] = filtered;
      else ended = true;
    }
    return { ...column, gaps };
  });
  return ended ? { ...before, columns, slotMs: batch.slotMs, timeMs: batch.timeMs, ends: true } : undefined;
}

/** Finds the rows of `before` that are missing now or have a changed label. */
function findRelabelled(
  before: Batch,
  batch: Batch,
  rowsNow: readonly (number | undefined)[] | undefined,
  isLabel: (column: Column) => boolean,
) {
  const rows = new Uint8Array(before.rows.count);
  const columns = before.columns.filter(isLabel);
  const columnsNow = batch.columns.filter(isLabel);
  const isSameLayout =
    columns.length === columnsNow.length && columns.every(({ field }, i) => field === columnsNow[i]!.field);
  let hasAny = false;
  for (let row = 0; row < rows.length && columns.length > 0; row++) {
    const other = rowsNow === undefined ? row : rowsNow[row];
    const isSame =
      other !== undefined &&
      isSameLayout &&
      columns.every((column, i) => labelAt(column, row) === labelAt(columnsNow[i]!, other));
    if (isSame) continue;
    rows[row] = 1;
    hasAny = true;
  }
  return { rows, hasAny };
}

function isThere(column: Column, row: number): boolean {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return false;
  return (column.kind !== 'text' && column.kind !== 'list') || column.values[row] !== undefined;
}

function labelAt(column: Column, row: number): string | undefined {
  if (!isThere(column, row)) return undefined;
  if (column.kind === 'text') return column.values[row];
  return column.kind === 'list' ? column.values[row]?.join('\0') : undefined;
}

/** For each row of `before`, the current row with the same key and labels. */
function matchRows(before: Rows, now: Rows): (number | undefined)[] {
  const rows = new Map(identify(now).map((identity, row) => [identity, row]));
  return identify(before).map((identity) => rows.get(identity));
}

function identify({ count, keys, labels }: Rows): string[] {
  const columns = Object.entries(labels);
  return Array.from({ length: count }, (_, row) =>
    JSON.stringify([keys[row], ...columns.map(([field, values]) => [field, values[row]])]),
  );
}
