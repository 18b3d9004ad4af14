/** Deals out starts: in no second, wherever it begins, more than allowed. Those of a second may come at once. */
export class StartPace {
  readonly #windowMs: number;
  /** When the last ones were dealt out, the oldest at `#oldest`. */
  readonly #startsMs: number[];
  #oldest = 0;

  constructor(startsPerSecond: number) {
    const count = Math.max(1, Math.floor(startsPerSecond));
    this.#windowMs = (1000 * count) / startsPerSecond;
    this.#startsMs = new Array<number>(count).fill(Number.NEGATIVE_INFINITY);
  }

  /** 0 where one may start now, and then it counts; else the milliseconds until it may. */
  take(nowMs: number): number {
    const pauseMs = this.#startsMs[this.#oldest]! + this.#windowMs - nowMs;
    if (pauseMs > 0) return pauseMs;
    this.#startsMs[this.#oldest] = nowMs;
    this.#oldest = (this.#oldest + 1) % this.#startsMs.length;
    return 0;
  }
}
