import { gapCode } from '../../../src/index.ts';
import { noRow } from '../chunk/block.ts';

/** A reading of a counter. */
export interface Reading {
  readonly timeMs: number;
  /** When the device's agent started; 0 when it is not known. */
  readonly startedMs: number;
  readonly value: number;
}

const two32 = 2 ** 32;
/** The same start of an agent may be computed a little differently after a restart of the collector. */
const startDriftMs = 5_000;
const [unseeded, reset] = [gapCode('unseeded'), gapCode('reset')];

/** The increase per second between two readings, or the gap code that says why there is none. */
export type Rate = { readonly value: number } | { readonly gap: number };

/**
 * The rule of the poller: a counter that decreased has wrapped if the increase would be less than half of its range; otherwise it was
 * reset. Its range is 32 bits while its values need no more. When the agent was restarted, its counters were reset.
 */
export function rateBetween(before: Reading | undefined, now: Reading): Rate {
  if (before === undefined || now.timeMs <= before.timeMs) return { gap: unseeded };
  const isRestart =
    before.startedMs > 0 && now.startedMs > 0 && Math.abs(now.startedMs - before.startedMs) >= startDriftMs;
  if (isRestart) return { gap: reset };
  let moved = now.value - before.value;
  if (moved < 0) {
    const range = before.value < two32 ? two32 : two32 * two32;
    moved += range;
    if (moved >= range / 2) return { gap: reset };
  }
  return { value: (1000 * moved) / (now.timeMs - before.timeMs) };
}

/** Rates of the rows of a counter: `values` and `gaps` have `times.length` entries per row. `before` has the last reading of each row. */
export function ratesOf(
  { times, started }: { readonly times: Float64Array; readonly started: Float64Array },
  values: Float64Array,
  gaps: Uint8Array | undefined,
  before: (row: number) => Reading | undefined,
): { readonly values: Float64Array; readonly gaps: Uint8Array | undefined } {
  const length = times.length;
  const rates = new Float64Array(values.length);
  let codes: Uint8Array | undefined;
  const readingAt = (t: number, value: number): Reading => ({
    timeMs: times[t]!,
    startedMs: started[t]!,
    value,
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
      if (moved >= 0 && started[t] === started[lastAt - start]) {
        rates[at] = (1000 * moved) / (times[t]! - times[lastAt - start]!);
      } else {
        if (lastAt >= 0) last = readingAt(lastAt - start, values[lastAt]!);
        const rate = rateBetween(last, readingAt(t, values[at]!));
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
