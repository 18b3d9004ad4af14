import type { Moment, ValueFunction } from './replay-knobs.ts';

/** Counts up from the recorded value. */
export function counting(perSecond: number): ValueFunction {
  return ({ start, elapsedMs }) => plus(start, (perSecond * elapsedMs) / 1000);
}

/**
 * A counter with a daily pattern: its rate varies between `low` and `high` per second and is highest at `peakHour` (UTC). The
 * value is the exact integral of that rate, so any two readings are consistent.
 */
export function dailyTraffic(low: number, high: number, peakHour = 15): ValueFunction {
  const mean = (low + high) / 2;
  const swing = (high - low) / 2;
  const total = (ms: number) => {
    const phase = ((ms - peakHour * hourMs) / dayMs) * 2 * Math.PI;
    return (mean * ms + ((swing * dayMs) / (2 * Math.PI)) * Math.sin(phase)) / 1000;
  };
  return ({ start, nowMs, elapsedMs }) => plus(start, total(nowMs) - total(nowMs - elapsedMs));
}

/** A gauge that swings between two values over a day, highest at `peakHour` (UTC). */
export function dailyLevel(low: number, high: number, peakHour = 15): ValueFunction {
  return ({ nowMs }) => {
    const phase = ((nowMs - peakHour * hourMs) / dayMs) * 2 * Math.PI;
    return Math.round((low + high) / 2 + ((high - low) / 2) * Math.cos(phase));
  };
}

/** The second value for `secondMs` at the end of every `everyMs`, else the first: an interface that flaps. */
export function alternating<Value extends number | bigint | string | Uint8Array>(
  first: Value,
  second: Value,
  everyMs: number,
  secondMs: number,
): ValueFunction {
  return ({ elapsedMs }) => (elapsedMs % everyMs >= everyMs - secondMs ? second : first);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function plus(start: Moment['start'], increase: number): number | bigint {
  const whole = BigInt(Math.floor(increase));
  return (typeof start === 'object' ? 0n : BigInt(start)) + whole;
}
