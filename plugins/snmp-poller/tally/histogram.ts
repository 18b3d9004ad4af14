/** Buckets an octave: a figure is right within a tenth. */
const perOctave = 8;
const smallestMs = 0.125;
const buckets = 24 * perOctave;

/** Durations that a half, and all but one in a hundred, did not exceed. */
export interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** How often which durations occurred, in a fixed amount of memory. */
export class Histogram {
  readonly #counts = new Uint32Array(buckets);
  #total = 0;

  add(ms: number): void {
    const bucket = ms <= smallestMs ? 0 : Math.ceil(Math.log2(ms / smallestMs) * perOctave);
    this.#counts[Math.min(bucket, buckets - 1)]!++;
    this.#total++;
  }

  summary(): Percentiles {
    return { p50Ms: this.percentileMs(0.5), p99Ms: this.percentileMs(0.99) };
  }

  /** The duration that this share of all did not exceed; 0 before the first. */
  percentileMs(share: number): number {
    let left = this.#total * share;
    if (left === 0) return 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      left -= this.#counts[bucket]!;
      if (left <= 0) return smallestMs * 2 ** (bucket / perOctave);
    }
    return Number.POSITIVE_INFINITY;
  }
}
