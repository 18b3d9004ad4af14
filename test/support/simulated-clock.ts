import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/timing/clock.ts';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Time that passes only when the test says so. */
export class SimulatedClock implements Clock {
  #nowMs = 1_000;
  #offsetMs = 1_700_000_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#nowMs;
  }

  wallNow(): number {
    return Math.floor(this.#nowMs + this.#offsetMs);
  }

  setTimer(run: () => void, afterMs: number): Timer {
    const timer = { atMs: this.#nowMs + Math.max(0, afterMs), run };
    this.#timers.add(timer);
    return timer;
  }

  clearTimer(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  /** Lets time pass; every timer runs at its moment. */
  pass(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      let next: Timer | undefined;
      for (const timer of this.#timers) if (next === undefined || timer.atMs < next.atMs) next = timer;
      if (next === undefined || next.atMs > endMs) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
    }
    this.#nowMs = endMs;
  }

  /** Time passes, but timers do not run, as while the process is suspended. */
  stall(ms: number): void {
    this.#nowMs += ms;
  }

  /** Sets the wall clock. */
  step(ms: number): void {
    this.#offsetMs += ms;
  }
}

/** Lets time pass in steps of ten milliseconds until `work` has settled, and returns how many passed. */
export async function passUntilSettled(clock: SimulatedClock, work: Promise<unknown>): Promise<number> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  const begunMs = clock.now();
  while (!isSettled) {
    clock.pass(10);
    // The wheel of deadlines works in an immediate, and what it ends settles after that.
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  }
  return clock.now() - begunMs;
}
