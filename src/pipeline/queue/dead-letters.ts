import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Batch, rowsOf } from '../../model/batch.ts';

export interface DeadLetterSettings {
  readonly path: string;
  /** Of the file and the one before it together. */
  readonly maxBytes: number;
  readonly onError: (error: unknown) => void;
  /** Wall clock, milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A file of what was refused for good, a JSON document a batch on a line of its own, for people to look at. When it is half
 * of what is allowed it becomes the file `….old`, in place of the one before.
 */
export class DeadLetters {
  readonly #settings: DeadLetterSettings;
  #bytes: number;

  constructor(settings: DeadLetterSettings) {
    this.#settings = settings;
    mkdirSync(dirname(settings.path), { recursive: true, mode: 0o700 });
    this.#bytes = statSync(settings.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Never throws; what cannot be kept is dropped all the same. */
  keep(batches: readonly Batch[], why: string): void {
    const refusedAt = new Date((this.#settings.now ?? Date.now)()).toISOString();
    for (const batch of batches) {
      try {
        this.#append(`${renderLetter(batch, refusedAt, why)}\n`);
      } catch (error) {
        this.#settings.onError(error);
      }
    }
  }

  #append(line: string): void {
    const { path, maxBytes } = this.#settings;
    const size = Buffer.byteLength(line);
    if (size > maxBytes / 2) throw new Error(`A batch of ${size} bytes is above half of dead_letter_bytes.`);
    if (this.#bytes + size > maxBytes / 2) {
      // Who has read the letters may have taken the file away.
      if (existsSync(path)) renameSync(path, `${path}.old`);
      this.#bytes = 0;
    }
    appendFileSync(path, line, { mode: 0o600 });
    this.#bytes += size;
  }
}

function renderLetter(batch: Batch, refusedAt: string, why: string): string {
  const { rows: _, columns: __, ...head } = batch;
  const asText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return JSON.stringify({ refusedAt, why, ...head, rows: [...rowsOf(batch)] }, asText);
}
