/** Counts values by size in a fixed amount of memory. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** One more than there are bounds: the last one counts what exceeds them all. */
  readonly #counts: Float64Array;
  #count = 0;
  #sum = 0;

  /** `bounds` are the inclusive upper ends of the buckets, in ascending order. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  get count(): number {
    return this.#count;
  }

  get sum(): number {
    return this.#sum;
  }

  add(value: number): void {
    const bounds = this.#bounds;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value <= bounds[middle]!) high = middle;
      else low = middle + 1;
    }
    this.#counts[low]!++;
    this.#count++;
    this.#sum += value;
  }

  /** Each bound, and how many values did not exceed it. */
  cumulative(): { readonly bound: number; readonly count: number }[] {
    let count = 0;
    return this.#bounds.map((bound, index) => {
      count += this.#counts[index]!;
      return { bound, count };
    });
  }

  /** The bound that this share of all values did not exceed, or the largest bound; 0 before the first value. */
  percentile(share: number): number {
    let left = this.#count * share;
    if (left === 0) return 0;
    const last = this.#bounds.length - 1;
    for (let bucket = 0; bucket < last; bucket++) {
      left -= this.#counts[bucket]!;
      if (left <= 0) return this.#bounds[bucket]!;
    }
    return this.#bounds[last]!;
  }
}

/** Durations that half of all, and 99 % of all, did not exceed. */
export interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const smallestMs = 0.125;
/** A percentile is right within a tenth. */
const bucketsPerOctave = 8;
const octaves = 24;

/** For durations in milliseconds, from an eighth of a millisecond to half an hour. */
export function createDurationHistogram(): Histogram {
  return new Histogram(
    Array.from({ length: octaves * bucketsPerOctave }, (_, i) => smallestMs * 2 ** (i / bucketsPerOctave)),
  );
}

/** @param durations in milliseconds */
export function percentilesOf(durations: Histogram): Percentiles {
  return { p50Ms: durations.percentile(0.5), p99Ms: durations.percentile(0.99) };
}
