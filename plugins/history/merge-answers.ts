import { unpolled } from './reading/explain-holes.ts';
import type { Aggregate } from './service.ts';

/** An answer as the API sends it. */
export interface SentAnswer {
  readonly times: readonly number[];
  readonly series: readonly SentSeries[];
  readonly madeUp?: { readonly from: number; readonly to: number };
}

export interface SentSeries {
  readonly device: string;
  readonly record: string;
  readonly row: string;
  readonly field: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly (number | null)[];
  readonly gaps: readonly SentGap[];
}

interface SentGap {
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

interface Part {
  readonly times: readonly number[];
  readonly series: SentSeries;
}

interface MergedQuery {
  readonly device: string | readonly string[];
  readonly step?: number | undefined;
  readonly aggregate: Aggregate;
}

/** How two values of the same step become one. In a step in which a device moved, both members have polled it. */
const joins: Readonly<Record<Aggregate, (a: number, b: number) => number>> = {
  mean: (a, b) => (a + b) / 2,
  min: Math.min,
  max: Math.max,
  count: (a, b) => a + b,
};

/**
 * Makes one answer of those of several members, each of which has what it polled itself. `isShared`: all of them read from the same server.
 */
export function mergeHistories(
  answers: readonly SentAnswer[],
  { device, step, aggregate }: MergedQuery,
  isShared: boolean,
): SentAnswer {
  const parts = new Map<string, Part[]>();
  for (const { times, series } of answers) {
    for (const each of series) {
      const key = [each.device, each.record, each.row, each.field].join('\n');
      parts.set(key, [...(parts.get(key) ?? []), { times, series: each }]);
    }
  }
  const stepMs = step === undefined ? undefined : step * 1000;
  const join = isShared ? Math.max : joins[aggregate];
  const order = new Map([device].flat().map((name, i) => [name, i]));
  const inOrder = [...parts.values()].sort((a, b) => order.get(nameOf(a))! - order.get(nameOf(b))!);
  const merged = inOrder.map((each) => new MergedSeries(each, stepMs, join));
  const times = [...new Set(merged.flatMap((series) => series.times()))].sort((a, b) => a - b);
  const madeUp = answers.find((answer) => answer.madeUp !== undefined)?.madeUp;
  return {
    times,
    series: merged.map((series) => series.build(times)),
    ...(madeUp === undefined ? {} : { madeUp }),
  };
}

/** One series of several members. */
class MergedSeries {
  readonly #values = new Map<number, number>();
  /** Why there is no value. */
  readonly #gaps = new Map<number, string>();
  readonly #newest: SentSeries;
  readonly #stepMs: number | undefined;

  constructor(parts: readonly Part[], stepMs: number | undefined, join: (a: number, b: number) => number) {
    this.#stepMs = stepMs;
    this.#newest = [...parts].sort((a, b) => lastTime(a) - lastTime(b)).at(-1)!.series;
    for (const { times, series } of parts) {
      for (const [i, timeMs] of times.entries()) {
        const value = series.values[i];
        if (value === null || value === undefined) continue;
        const before = this.#values.get(timeMs);
        this.#values.set(timeMs, before === undefined ? value : join(before, value));
      }
    }
    const polled = [...this.#values.keys()].sort((a, b) => a - b);
    for (const part of parts) this.#addGaps(part, polled);
  }

  times(): number[] {
    return [...this.#values.keys(), ...this.#gaps.keys()];
  }

  build(times: readonly number[]): SentSeries {
    const gaps: { from: number; to: number; why: string }[] = [];
    let isOpen = false;
    for (const timeMs of times) {
      const why = this.#gaps.get(timeMs);
      if (why === undefined) {
        isOpen &&= !this.#values.has(timeMs);
        continue;
      }
      const last = gaps.at(-1);
      const to = timeMs + (this.#stepMs ?? 0);
      if (isOpen && last?.why === why) last.to = to;
      else gaps.push({ from: timeMs, to, why });
      isOpen = true;
    }
    return { ...this.#newest, values: times.map((timeMs) => this.#values.get(timeMs) ?? null), gaps };
  }

  /** A reason counts where no member has a value, and a hole between two polls of a member where no other one polled. */
  #addGaps({ times, series: { values, gaps } }: Part, polled: readonly number[]): void {
    let [next, lastPolled] = [0, 0];
    for (const [i, timeMs] of times.entries()) {
      if (values[i] !== null) lastPolled = timeMs;
      if (this.#values.has(timeMs)) continue;
      while (next < gaps.length && this.#endOf(gaps[next]!) < timeMs) next++;
      const gap = gaps[next];
      if (gap === undefined || gap.from > timeMs) continue;
      if (gap.why === unpolled && this.#stepMs === undefined) {
        let following = i + 1;
        while (values[following] === null) following++;
        const other = polled[firstAfter(polled, lastPolled)];
        if (other !== undefined && other < (times[following] ?? Number.POSITIVE_INFINITY)) continue;
      }
      const known = this.#gaps.get(timeMs);
      if (known === undefined || known === unpolled) this.#gaps.set(timeMs, gap.why);
    }
  }

  /** The last time that is in a gap: with steps, `to` is the end of the last one. */
  #endOf({ to }: SentGap): number {
    return this.#stepMs === undefined ? to : to - 1;
  }
}

function nameOf([first]: readonly Part[]): string {
  return first!.series.device;
}

function lastTime({ times, series: { values } }: Part): number {
  return times[values.findLastIndex((value) => value !== null)] ?? 0;
}

/** The place of the first number that is greater, in a sorted list. */
function firstAfter(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
