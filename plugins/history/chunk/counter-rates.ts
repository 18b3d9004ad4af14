import { gapCode } from '../../../src/index.ts';
import { type ColumnValues, noRow } from './block.ts';

/** A reading of a counter. */
export interface Reading {
  readonly timeMs: number;
  /** When the device's agent started; 0 when it is not known. */
  readonly startedMs: number;
  readonly value: number;
  /** Changes when the counters of the row are reset; undefined when it is not known. */
  readonly mark?: number | undefined;
}

const two32 = 2 ** 32;
/** How far the clock of a device may be off. */
const toleratedShare = 0.1;
const toleratedMs = 10_000;
const [unseeded, reset] = [gapCode('unseeded'), gapCode('reset')];

/** The increase per second between two readings, or the gap code that says why there is none. */
export type Rate = { readonly value: number } | { readonly gap: number };

/**
 * The rules of the poller. A counter that decreased has wrapped if the increase would be less than half of its range; otherwise it was
 * reset. The range is `wrapsAt`, or 2^32 times as large for a value above it. When the agent was restarted, its counters were reset.
 */
export function rateBetween(before: Reading | undefined, now: Reading, wrapsAt = two32): Rate {
  if (before === undefined || now.timeMs <= before.timeMs) return { gap: unseeded };
  if (isRestart(before, now)) return { gap: reset };
  if (before.mark !== undefined && now.mark !== undefined && before.mark !== now.mark) return { gap: reset };
  let moved = now.value - before.value;
  if (moved < 0) {
    const range = before.value < wrapsAt ? wrapsAt : two32 * wrapsAt;
    // In this order, no digit is lost near the end of 64 bits.
    moved = range - before.value + now.value;
    if (moved >= range / 2) return { gap: reset };
  }
  return { value: (1000 * moved) / (now.timeMs - before.timeMs) };
}

/** A clock that is slow makes a device seem to have started a little later with each day. */
function isRestart(before: Reading, now: Reading): boolean {
  if (before.startedMs <= 0 || now.startedMs <= 0) return false;
  const tolerance = toleratedMs + toleratedShare * (now.timeMs - before.timeMs);
  return now.startedMs - before.startedMs > tolerance;
}

/** What rates are computed from: `times.length` values per row. */
export interface CounterRows {
  readonly times: Float64Array;
  readonly started: Float64Array;
  readonly values: Float64Array;
  readonly gaps: Uint8Array | undefined;
  /** Changes when the counters of the row are reset. */
  readonly marks: ColumnValues | undefined;
  readonly wrapsAt: number | undefined;
}

/** Rates of the rows of a counter. `before` has the last reading of each row. */
export function ratesOf(
  { times, started, values, gaps, marks, wrapsAt }: CounterRows,
  before: (row: number) => Reading | undefined,
): { readonly values: Float64Array; readonly gaps: Uint8Array | undefined } {
  const length = times.length;
  const rates = new Float64Array(values.length);
  let codes: Uint8Array | undefined;
  const readingAt = (t: number, at: number): Reading => ({
    timeMs: times[t]!,
    startedMs: started[t]!,
    value: values[at]!,
    mark: markAt(marks, at),
  });
  for (let start = 0, row = 0; start < values.length; start += length, row++) {
    let last = before(row);
    /** The position of the last reading in this row; -1 while it is `last`. */
    let lastAt = -1;
    for (let t = 0; t < length; t++) {
      const at = start + t;
      const gap = gaps?.[at] ?? 0;
      if (gap !== 0) {
        codes ??= new Uint8Array(values.length);
        codes[at] = gap;
        if (gap === noRow) [last, lastAt] = [undefined, -1];
        continue;
      }
      const moved = lastAt < 0 ? -1 : values[at]! - values[lastAt]!;
      const isUsual =
        moved >= 0 &&
        started[t] === started[lastAt - start] &&
        (marks === undefined || markAt(marks, at) === markAt(marks, lastAt));
      if (isUsual) rates[at] = (1000 * moved) / (times[t]! - times[lastAt - start]!);
      else {
        if (lastAt >= 0) last = readingAt(lastAt - start, lastAt);
        const rate = rateBetween(last, readingAt(t, at), wrapsAt);
        if ('value' in rate) rates[at] = rate.value;
        else {
          codes ??= new Uint8Array(values.length);
          codes[at] = rate.gap;
        }
      }
      lastAt = at;
    }
  }
  return { values: rates, gaps: codes };
}

export function markAt(marks: ColumnValues | undefined, at: number): number | undefined {
  return marks === undefined || (marks.gaps?.[at] ?? 0) !== 0 ? undefined : marks.streams[0]![at];
}
