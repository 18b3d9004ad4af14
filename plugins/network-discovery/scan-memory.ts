import { type DeviceIdentity, deviceKey } from '../../src/index.ts';
import type { Journal } from '../../src/storage/index.ts';

/** Of the last scan of all networks, by earlier versions. */
const lastKey = 'last';
/** The key of a device begins with its address. */
const networkPrefix = 'network ';

/** State that scans keep for later scans, across restarts: when each network was scanned, and which devices are silent. */
export class ScanMemory {
  readonly #journal: Journal;
  /** The number of scans in a row that a silent device did not answer. */
  readonly #silences = new Map<string, number>();
  /** When the last complete scan of each network began, in milliseconds since 1970. */
  readonly #lastMs = new Map<string, number>();
  #lastOfAllMs: number | undefined;

  constructor(journal: Journal, stored: ReadonlyMap<string, unknown>) {
    this.#journal = journal;
    for (const [key, value] of stored) {
      if (typeof value !== 'number') continue;
      if (key === lastKey) this.#lastOfAllMs = value;
      else if (key.startsWith(networkPrefix)) this.#lastMs.set(key.slice(networkPrefix.length), value);
      else this.#silences.set(key, value);
    }
  }

  /** When the last complete scan of a network began, in milliseconds since 1970; undefined before the first one. */
  lastOf(network: string): number | undefined {
    return this.#lastMs.get(network) ?? this.#lastOfAllMs;
  }

  recordScan(network: string, beganMs: number): void {
    this.#lastMs.set(network, beganMs);
    this.#journal.set(networkPrefix + network, beganMs);
  }

  /** Forgets when a network was scanned that does not exist any more. */
  forgetNetwork(network: string): void {
    if (this.#lastMs.delete(network)) this.#journal.delete(networkPrefix + network);
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
    if (this.#lastOfAllMs !== undefined) yield [lastKey, this.#lastOfAllMs];
    for (const [network, beganMs] of this.#lastMs) yield [networkPrefix + network, beganMs];
    yield* this.#silences;
  }
}
