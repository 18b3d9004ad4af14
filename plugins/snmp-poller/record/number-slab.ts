/** One piece of memory for all numbers of a batch: few large allocations are cheaper than many small ones. */
export class NumberSlab {
  readonly #numbers: Float64Array;
  #used = 0;

  constructor(numbers: number) {
    this.#numbers = new Float64Array(numbers);
  }

  take(count: number): Float64Array {
    const start = this.#used;
    this.#used += count;
    if (this.#used > this.#numbers.length) return new Float64Array(count);
    return this.#numbers.subarray(start, this.#used);
  }
}
