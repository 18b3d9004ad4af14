/** Growing pauses between attempts. They are random, so that many outputs do not retry at the same time. */
export class BackOff {
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #random: () => number;
  #failures = 0;

  constructor(fromMs: number, toMs: number, random: () => number = Math.random) {
    this.#fromMs = fromMs;
    this.#toMs = toMs;
    this.#random = random;
  }

  /** The pause after another failure: between half of the current step and all of it. */
  next(): number {
    const stepMs = Math.min(this.#toMs, this.#fromMs * 2 ** Math.min(this.#failures++, 30));
    return stepMs * (0.5 + this.#random() / 2);
  }

  reset(): void {
    this.#failures = 0;
  }
}
