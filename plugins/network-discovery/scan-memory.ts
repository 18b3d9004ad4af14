import { type DeviceIdentity, deviceKey } from '../../src/index.ts';
import type { Journal } from '../../src/internal.ts';

const lastKey = 'last';

/** State that scans keep for later scans, across restarts: when the last full scan began, and which devices are silent. */
export class ScanMemory {
  readonly #journal: Journal;
  /** The number of scans in a row that a silent device did not answer. */
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

  /** When the last full scan began, in milliseconds since 1970; undefined before the first one. */
  get lastMs(): number | undefined {
    return this.#lastMs;
  }

  recordScan(beganMs: number): void {
    this.#lastMs = beganMs;
    this.#journal.set(lastKey, beganMs);
  }

  /** Counts one more scan without an answer. Returns how many there are in a row. */
  recordSilence(device: DeviceIdentity): number {
    const key = deviceKey(device);
    const count = (this.#silences.get(key) ?? 0) + 1;
    this.#silences.set(key, count);
    this.#journal.set(key, count);
    this.#journal.compactIfWasteful(this.#entries());
    return count;
  }

  /** Forgets the silences of a device that answered or was removed. */
  forget(device: DeviceIdentity): void {
    const key = deviceKey(device);
    if (this.#silences.delete(key)) this.#journal.delete(key);
  }

  *#entries(): Generator<readonly [key: string, value: unknown]> {
    if (this.#lastMs !== undefined) yield [lastKey, this.#lastMs];
    yield* this.#silences;
  }
}
