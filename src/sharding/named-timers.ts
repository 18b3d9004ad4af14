import type { Clock } from '../timing/clock.ts';

/** Timers by name: while one waits, further ones of its name change nothing. */
export class NamedTimers {
  readonly #clock: Clock;
  readonly #timers = new Map<string, unknown>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  once(name: string, afterMs: number, run: () => void): void {
    if (this.#timers.has(name) || this.#isClosed) return;
    const timer = this.#clock.setTimer(() => {
      this.#timers.delete(name);
      run();
    }, afterMs);
    this.#timers.set(name, timer);
  }

  repeat(name: string, everyMs: number, run: () => void): void {
    this.once(name, everyMs, () => {
      this.repeat(name, everyMs, run);
      run();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) this.#clock.clearTimer(timer);
  }
}
