import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Batch, rowsOf } from '../../model/batch.ts';

export interface DeadLetterSettings {
  readonly path: string;
  /** Maximum size of the file and the one before it together. */
  readonly maxBytes: number;
  readonly onError: (error: unknown) => void;
  /** Wall clock, milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A file of the batches that were refused for good, one JSON document per line, for people to read. At half of the allowed size it is
 * renamed to `….old` and replaces the one before.
 */
export class DeadLetters {
  readonly #settings: DeadLetterSettings;

  constructor(settings: DeadLetterSettings) {
    this.#settings = settings;
    mkdirSync(dirname(settings.path), { recursive: true, mode: 0o700 });
  }

  /** Never throws. A batch that cannot be written is reported to `onError` and dropped. */
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
    if (size > maxBytes / 2)
      throw new Error(`A batch of ${size} bytes is larger than half of dead_letter_bytes.`);
    // The operator may have moved the file away.
    const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (before > 0 && before + size >= maxBytes / 2) renameSync(path, `${path}.old`);
    const file = openSync(path, 'a+', 0o600);
    try {
      writeFileSync(file, endsInLine(file) ? line : `\n${line}`);
    } finally {
      closeSync(file);
    }
  }
}

/** A crash or a full disk may have left an incomplete line. Only that line is lost. */
function endsInLine(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
}

function renderLetter(batch: Batch, refusedAt: string, why: string): string {
  const { rows: _, columns: __, ...head } = batch;
  const asText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return JSON.stringify({ refusedAt, why, ...head, rows: [...rowsOf(batch)] }, asText);
}
