/** Messages of the largest size that went well, after which a larger one is tried. */
const provenAfter = 50;

/** How much one message may ask for: less at once after a failure, a quarter more after long success. */
export class LearnedCeiling {
  /** Undefined while nothing has failed. */
  value: number | undefined;
  #successes = 0;

  constructor(value?: number) {
    this.value = value;
  }

  /** The ceiling, or `limit` when that is lower. */
  within(limit: number): number {
    return Math.min(limit, this.value ?? limit);
  }

  shrinkTo(size: number): void {
    this.value = Math.max(1, this.within(size));
    this.#successes = 0;
  }

  /** A message of `size` went well. Beyond `limit` there is nothing to learn. */
  confirm(size: number, limit: number): void {
    if (this.value === undefined || size < this.value || ++this.#successes < provenAfter) return;
    this.#successes = 0;
    const raised = this.value + Math.max(1, this.value >> 2);
    this.value = raised >= limit ? undefined : raised;
  }
}
