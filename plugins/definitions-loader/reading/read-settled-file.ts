import { statSync } from 'node:fs';
import { readFileBytes } from './read-file.ts';

/** How lately a file must have become empty to count as one that is being written. */
const freshMs = 1_000;
const pauseMs = 5;

/**
 * Reads files, and waits a little for those that became empty a moment ago: most programs empty a file before they write
 * it, and an empty file is a valid one, which takes away all it held. Blocks its thread.
 */
export class SettledFileReader {
  readonly #now: () => number;
  #patienceMs: number;

  /** `patienceMs` is for all files together; `now` is in milliseconds since 1970. */
  constructor(patienceMs: number, now: () => number) {
    this.#patienceMs = patienceMs;
    this.#now = now;
  }

  /** As `readFileBytes`. */
  read(path: string): Buffer {
    for (;;) {
      const bytes = readFileBytes(path);
      if (bytes.length > 0 || this.#patienceMs <= 0 || !this.#isFresh(path)) return bytes;
      this.#patienceMs -= pauseMs;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }

  #isFresh(path: string): boolean {
    return this.#now() - statSync(path).mtimeMs < freshMs;
  }
}
