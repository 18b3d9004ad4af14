/** What a signed notification is known by: the first octets of its MAC. */
export interface SignedMark {
  readonly high: number;
  readonly low: number;
  /** Until when it is known, in milliseconds since 1970. */
  readonly untilMs: number;
}

const ways = 4;
const sets = 65_536;

/** Recognizes datagrams that came before, by hashes in a table of fixed size: the oldest of four makes room. */
export class CopyFilter {
  readonly #high = new Int32Array(sets * ways);
  readonly #low = new Int32Array(sets * ways);
  /** When an entry ends, in milliseconds of the caller's clock; 0 for no entry. */
  readonly #untilMs = new Float64Array(sets * ways);

  /** Whether this hash was added before and has not ended. If not, it is added. */
  isCopy(
    { high, low }: { readonly high: number; readonly low: number },
    nowMs: number,
    keepMs: number,
  ): boolean {
    const start = (low & (sets - 1)) * ways;
    for (let at = start; at < start + ways; at++) {
      if (this.#high[at] === high && this.#low[at] === low && this.#untilMs[at]! > nowMs) return true;
    }
    this.add(high, low, nowMs + keepMs);
    return false;
  }

  add(high: number, low: number, untilMs: number): void {
    const start = (low & (sets - 1)) * ways;
    let oldest = start;
    for (let at = start + 1; at < start + ways; at++) {
      if (this.#untilMs[at]! < this.#untilMs[oldest]!) oldest = at;
    }
    this.#high[oldest] = high;
    this.#low[oldest] = low;
    this.#untilMs[oldest] = untilMs;
  }
}
