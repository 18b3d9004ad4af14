/** Time and timers, as a parameter. */
export interface Clock {
  /** Milliseconds on a clock that never steps. */
  now(): number;
  /** Milliseconds since 1970, on a clock that people set. */
  wallNow(): number;
  setTimer(run: () => void, afterMs: number): unknown;
  clearTimer(timer: unknown): void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimer: (run, afterMs) => setTimeout(run, afterMs),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
