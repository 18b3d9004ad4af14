import { type Clock, systemClock } from '../../src/timing/clock.ts';

const beatMs = 10;
/** More than this between two beats means that the process did not run. */
const maxStepMs = 50;

/** The system's clock without the pauses in which a busy machine did not run this process: they end no request. */
export class UnpausedClock implements Clock {
  #nowMs = 0;
  #readMs = performance.now();
  readonly #timer = setInterval(() => this.now(), beatMs);
  readonly wallNow = systemClock.wallNow;
  readonly setTimer = systemClock.setTimer;
  readonly clearTimer = systemClock.clearTimer;

  now(): number {
    const readMs = performance.now();
    this.#nowMs += Math.min(readMs - this.#readMs, maxStepMs);
    this.#readMs = readMs;
    return this.#nowMs;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
