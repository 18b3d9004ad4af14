/** Monotonic time and timers, as a parameter. */
export interface Clock {
  /** Milliseconds on a clock that never steps. */
  now(): number;
  setTimer(run: () => void, afterMs: number): unknown;
  clearTimer(timer: unknown): void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimer: (run, afterMs) => setTimeout(run, afterMs),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
