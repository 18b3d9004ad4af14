import type { EngineState, LearnedState } from '../../src/snmp/index.ts';

/** An engine's clock may differ by 150 s (RFC 3414 §2.2.3). Our clock drifts, and the engine counts whole seconds. */
const noticeableMs = 10_000;
/** Averages change constantly: a change by less than this factor is not worth saving. */
const noticeableFactor = 1.5;
const averages: ReadonlySet<string> = new Set(['srttMs', 'rttvarMs', 'varbindBytes']);

/** Whether `state` is the same as `known`, which may be anything that was read from a file. */
export function isSameLearned(known: unknown, state: LearnedState): boolean {
  return isSame(known, state, '');
}

export function isSameEngine(known: EngineState | undefined, state: EngineState): boolean {
  return (
    known !== undefined &&
    known.engineId === state.engineId &&
    known.boots === state.boots &&
    Math.abs(known.startedAtMs - state.startedAtMs) < noticeableMs
  );
}

function isSame(a: unknown, b: unknown, name: string): boolean {
  if (a === b) return true;
  if (typeof a === 'number' && typeof b === 'number') {
    return averages.has(name) && Math.max(a, b) < Math.min(a, b) * noticeableFactor;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [x, y] = [a, b] as readonly Readonly<Record<string, unknown>>[];
  return Object.keys({ ...x, ...y }).every((key) => isSame(x![key], y![key], key));
}
