import { toneOf } from './state-tones.ts';

/** A time in which a state stayed the same. */
export interface StateSpan {
  readonly name: string;
  readonly tone: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface StateSeries {
  readonly values: readonly (number | null)[];
  /** The lowest state of each step; absent where a step is one poll. */
  readonly lows?: readonly (number | null)[] | undefined;
  readonly names?: Readonly<Record<string, string>> | undefined;
}

/**
 * Joins equal states that follow each other. A state lasts until the next one, the last one until `endMs`. A step with several states has
 * the names of two.
 */
export function findSpans(times: readonly number[], series: StateSeries, endMs: number): StateSpan[] {
  const { values, lows, names } = series;
  const spans: { name: string; tone: string; fromMs: number; toMs: number }[] = [];
  values.forEach((high, i) => {
    if (high === null) return;
    const low = lows?.[i] ?? high;
    const isMixed = low !== high;
    const name = isMixed ? `${nameOf(low, names)} and ${nameOf(high, names)}` : nameOf(high, names);
    const last = spans.at(-1);
    if (last !== undefined) last.toMs = times[i]!;
    if (last?.name !== name)
      spans.push({ name, tone: isMixed ? 'warn' : toneOf(name), fromMs: times[i]!, toMs: times[i]! });
  });
  const last = spans.at(-1);
  if (last !== undefined) last.toMs = Math.max(last.toMs, endMs);
  return spans;
}

/** A state without names is a truth value. */
function nameOf(value: number, names: StateSeries['names']): string {
  if (names !== undefined) return names[String(value)] ?? String(value);
  return value === 1 ? 'up' : value === 0 ? 'down' : String(value);
}
