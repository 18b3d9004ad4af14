/** One piece of memory for all numbers of a batch: few large allocations are cheaper than many small ones. */
export class NumberSlab {
  readonly #memory: ArrayBuffer;
  #usedBytes = 0;

  constructor(numbers: number) {
    this.#memory = new ArrayBuffer(numbers * Float64Array.BYTES_PER_ELEMENT);
  }

  take(count: number): Float64Array {
    const start = this.#usedBytes;
    this.#usedBytes += count * Float64Array.BYTES_PER_ELEMENT;
    if (this.#usedBytes > this.#memory.byteLength) return new Float64Array(count);
    return new Float64Array(this.#memory, start, count);
  }
}
