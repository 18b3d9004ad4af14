import type { Column } from '../../../../src/index.ts';

/** What is known of one counter column, a place a row. */
export interface CounterCells {
  /** The last values that were seen, as two parts of which the high one counts 2^32. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  /** When they were seen, and from when they count: milliseconds since 1970, not-a-number for a value never seen. */
  readonly slotsMs: Float64Array;
  /** Another array whenever one of them changes: batches under way keep theirs. */
  readonly startsMs: Float64Array;
}

export function createCells(count: number): CounterCells {
  const unseen = () => new Float64Array(count).fill(Number.NaN);
  return { high: unseen(), low: unseen(), slotsMs: unseen(), startsMs: unseen() };
}

/** The same cells for other rows: `placeBefore` finds a key's place among the rows before. */
export function realignCells(
  cells: CounterCells,
  keys: readonly string[],
  placeBefore: ReadonlyMap<string, number>,
): CounterCells {
  const realigned = createCells(keys.length);
  for (const [place, key] of keys.entries()) {
    const before = placeBefore.get(key);
    if (before === undefined) continue;
    for (const part of ['high', 'low', 'slotsMs', 'startsMs'] as const) {
      realigned[part][place] = cells[part][before]!;
    }
  }
  return realigned;
}

/** A column that only grows. */
export function isCounter({ kind, metric }: Column): boolean {
  return metric === 'counter' && (kind === 'counter' || kind === 'number');
}

/** The two parts of a value, as cells have them. */
export function partsAt(column: Column, row: number): readonly [high: number, low: number] {
  if (column.kind === 'counter') return [column.words[2 * row + 1]!, column.words[2 * row]!];
  return [0, column.kind === 'number' ? column.values[row]! : Number.NaN];
}
