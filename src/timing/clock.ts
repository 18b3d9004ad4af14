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

/** Smaller differences are the resolution of the two clocks and slow corrections; a larger one means that the clock was set. */
const stepMs = 20;

/** Translates moments of the monotonic clock into wall-clock time: evenly, until the wall clock is set. */
export class WallTime {
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offsetMs = clock.wallNow() - clock.now();
  }

  /** Milliseconds since 1970 at `momentMs`, by the current reading of the wall clock. */
  at(momentMs: number): number {
    const offsetMs = this.#clock.wallNow() - this.#clock.now();
    if (Math.abs(offsetMs - this.#offsetMs) > stepMs) this.#offsetMs = offsetMs;
    return Math.round(momentMs + this.#offsetMs);
  }
}
