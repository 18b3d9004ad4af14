import type { Aggregate } from '../service.ts';

/**
 * The values of a series by time, or by start of the span, ascending. They are in lists side by side: an object for each of a hundred thousand
 * values would take longer than reading them from the disk.
 */
export class SeriesCells {
  readonly times: number[] = [];
  readonly #counts: number[] = [];
  readonly #minima: number[] = [];
  readonly #maxima: number[] = [];
  readonly #sums: number[] = [];
  readonly #gaps: number[] = [];
  readonly #widths: number[] = [];

  /** The place of the cell of this time; -1 when there is none. */
  find(timeMs: number): number {
    const at = this.#placeOf(timeMs);
    return this.times[at] === timeMs ? at : -1;
  }

  /** Values mostly arrive in the order of their times. `widthMs`: how long a value holds. Returns the place. */
  insert(timeMs: number, widthMs: number): number {
    const at = this.#placeOf(timeMs);
    insertAt(this.times, at, timeMs);
    insertAt(this.#counts, at, 0);
    insertAt(this.#minima, at, Number.POSITIVE_INFINITY);
    insertAt(this.#maxima, at, Number.NEGATIVE_INFINITY);
    insertAt(this.#sums, at, 0);
    insertAt(this.#gaps, at, 0);
    insertAt(this.#widths, at, widthMs);
    return at;
  }

  add(at: number, count: number, minimum: number, mean: number, maximum: number): void {
    this.#minima[at] = Math.min(this.#minima[at]!, minimum);
    this.#maxima[at] = Math.max(this.#maxima[at]!, maximum);
    this.#sums[at]! += mean * count;
    this.#counts[at]! += count;
  }

  setGap(at: number, code: number): void {
    this.#gaps[at] = code;
  }

  gapAt(at: number): number {
    return this.#gaps[at]!;
  }

  widthAt(at: number): number {
    return this.#widths[at]!;
  }

  valueAt(at: number, aggregate: Aggregate): number | null {
    const count = this.#counts[at] ?? 0;
    if (aggregate === 'count') return count;
    if (count === 0) return null;
    if (aggregate === 'min') return this.#minima[at]!;
    return aggregate === 'max' ? this.#maxima[at]! : this.#sums[at]! / count;
  }

  /** The place of the first time that is not before this one. */
  #placeOf(timeMs: number): number {
    const { times } = this;
    let [low, high] = [0, times.length];
    if (high === 0 || times[high - 1]! < timeMs) return high;
    if (times[high - 1] === timeMs) return high - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! < timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function insertAt(list: number[], at: number, value: number): void {
  if (at === list.length) list.push(value);
  else list.splice(at, 0, value);
}
