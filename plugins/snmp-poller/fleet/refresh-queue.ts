import type { Clock } from '../../../src/timing/index.ts';

export interface Refreshable {
  refresh(): void;
}

/** How long the event loop may be busy before other work gets its turn. */
const sliceMs = 5;

/** Brings any number of devices up to date between other work. */
export class RefreshQueue {
  readonly #clock: Clock;
  readonly #waiting = new Set<Refreshable>();
  #timer: unknown = undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(subject: Refreshable): void {
    this.#waiting.add(subject);
    this.#timer ??= this.#clock.setTimer(() => this.#work(), 0);
  }

  delete(subject: Refreshable): void {
    this.#waiting.delete(subject);
  }

  close(): void {
    this.#waiting.clear();
    this.#clock.clearTimer(this.#timer);
  }

  #work(): void {
    this.#timer = undefined;
    const endMs = this.#clock.now() + sliceMs;
    for (const subject of this.#waiting) {
      this.#waiting.delete(subject);
      subject.refresh();
      if (this.#clock.now() >= endMs) break;
    }
    if (this.#waiting.size > 0) this.#timer = this.#clock.setTimer(() => this.#work(), 0);
  }
}
