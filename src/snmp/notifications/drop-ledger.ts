import type { DropCause } from './outcome.ts';

const maxEntries = 1_000;
const maxNamed = 20;
const others = 'others';

/** Datagrams of one source that were dropped for one cause. */
export interface DropEntry {
  /** The address; `others` where there are too many. */
  readonly source: string;
  readonly cause: DropCause;
  readonly count: number;
}

/** Who was refused and why, for the sources that were refused last. Bounded, however many sources are invented. */
export class DropLedger {
  readonly #totals = new CountTable();
  #recent = new CountTable();

  add(source: string, cause: DropCause): void {
    this.#totals.add(source, cause);
    this.#recent.add(source, cause);
  }

  list(): DropEntry[] {
    return this.#totals.entries;
  }

  /** What was dropped since the last call: the sources with most, and the rest together. */
  takeRecent(): DropEntry[] {
    const entries = this.#recent.entries;
    this.#recent = new CountTable();
    const named = entries.filter(({ source }) => source !== others).sort((a, b) => b.count - a.count);
    const rest = new Map<DropCause, number>();
    for (const { cause, count } of [
      ...named.splice(maxNamed),
      ...entries.filter(({ source }) => source === others),
    ])
      rest.set(cause, (rest.get(cause) ?? 0) + count);
    for (const [cause, count] of rest) named.push({ source: others, cause, count });
    return named;
  }
}

/** Counts by source and cause. Beyond the limit, the oldest sources are counted as `others`. */
class CountTable {
  readonly #counts = new Map<string, { source: string; cause: DropCause; count: number }>();

  get entries(): DropEntry[] {
    return [...this.#counts.values()].map((entry) => ({ ...entry }));
  }

  add(source: string, cause: DropCause, count = 1): void {
    const key = `${cause} ${source}`;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += count;
      return;
    }
    if (this.#counts.size >= maxEntries) this.#foldOldest();
    this.#counts.set(key, { source, cause, count });
  }

  #foldOldest(): void {
    for (const [key, { source, cause, count }] of this.#counts) {
      if (source === others) continue;
      this.#counts.delete(key);
      this.add(others, cause, count);
      return;
    }
  }
}
