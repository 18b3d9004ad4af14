import type { Column } from '../../../../src/index.ts';

/** The state of one counter column, one cell per row. */
export interface CounterCells {
  /** The last values, in two parts. The high one counts 2^32. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  /** When the values were read, and when the counters started: milliseconds since 1970. NaN for a value never read. */
  readonly slotsMs: Float64Array;
  /** Replaced by another array when one of them changes, because batches in the queue keep theirs. */
  readonly startsMs: Float64Array;
}

export function createCells(count: number): CounterCells {
  const unseen = () => new Float64Array(count).fill(Number.NaN);
  return { high: unseen(), low: unseen(), slotsMs: unseen(), startsMs: unseen() };
}

/** The same cells for other rows. `placeBefore` finds the former place of a key. */
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

/** Whether the column is a counter. */
export function isCounter({ kind, metric }: Column): boolean {
  return metric === 'counter' && (kind === 'counter' || kind === 'number');
}

/** The two parts of a value. */
export function partsAt(column: Column, row: number): readonly [high: number, low: number] {
  if (column.kind === 'counter') return [column.words[2 * row + 1]!, column.words[2 * row]!];
  return [0, column.kind === 'number' ? column.values[row]! : Number.NaN];
}
