import { type DeviceIdentity, deviceKey } from '../../../src/index.ts';
import type { Journal } from '../../../src/internal.ts';

const lastKey = 'last';

/** What scans leave for the next ones, over a restart too: when the last whole one began, and who was silent since. */
export class ScanMemory {
  readonly #journal: Journal;
  /** Scans in a row without an answer, of those that are silent. */
  readonly #silences = new Map<string, number>();
  #lastMs: number | undefined;

  constructor(journal: Journal, stored: ReadonlyMap<string, unknown>) {
    this.#journal = journal;
    for (const [key, value] of stored) {
      if (typeof value !== 'number') continue;
      if (key === lastKey) this.#lastMs = value;
      else this.#silences.set(key, value);
    }
  }

  /** Milliseconds since 1970; undefined before the first. */
  get lastMs(): number | undefined {
    return this.#lastMs;
  }

  noteScan(beganMs: number): void {
    this.#lastMs = beganMs;
    this.#journal.set(lastKey, beganMs);
  }

  /** One more silence; how many there are in a row. */
  noteSilence(device: DeviceIdentity): number {
    const key = deviceKey(device);
    const count = (this.#silences.get(key) ?? 0) + 1;
    this.#silences.set(key, count);
    this.#journal.set(key, count);
    this.#journal.compactIfWasteful(this.#entries());
    return count;
  }

  /** It answered, or is gone. */
  forget(device: DeviceIdentity): void {
    const key = deviceKey(device);
    if (this.#silences.delete(key)) this.#journal.delete(key);
  }

  *#entries(): Generator<readonly [key: string, value: unknown]> {
    if (this.#lastMs !== undefined) yield [lastKey, this.#lastMs];
    yield* this.#silences;
  }
}
