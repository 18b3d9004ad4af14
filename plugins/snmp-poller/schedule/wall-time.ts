import type { Clock } from './clock.ts';

/** Differences below this are how finely clocks are read, and slow corrections; above it somebody has set the clock. */
const stepMs = 20;

/** What the wall clock says of moments of the monotonic clock: evenly, until that clock is set. */
export class WallTime {
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offsetMs = clock.wallNow() - clock.now();
  }

  /** Milliseconds since 1970 at `momentMs`, by one reading of the wall clock as it is now. */
  at(momentMs: number): number {
    const offsetMs = this.#clock.wallNow() - this.#clock.now();
    if (Math.abs(offsetMs - this.#offsetMs) > stepMs) this.#offsetMs = offsetMs;
    return Math.round(momentMs + this.#offsetMs);
  }
}
