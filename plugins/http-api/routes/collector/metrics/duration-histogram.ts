import type { Sample } from './metrics-text.ts';

/** Counts durations in seconds by size. */
export class DurationHistogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  /** `bounds` are the upper ends of the buckets, growing. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(seconds: number): void {
    this.#sum += seconds;
    this.#count++;
    const index = this.#bounds.findIndex((bound) => seconds <= bound);
    if (index !== -1) this.#counts[index]!++;
  }

  samples(labels: Readonly<Record<string, string>> = {}): Sample[] {
    let below = 0;
    const buckets = this.#bounds.map((bound, index) => {
      below += this.#counts[index]!;
      return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below };
    });
    const own = Object.keys(labels).length === 0 ? {} : { labels };
    return [
      ...buckets,
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: this.#count },
      { suffix: '_sum', ...own, value: this.#sum },
      { suffix: '_count', ...own, value: this.#count },
    ];
  }
}
