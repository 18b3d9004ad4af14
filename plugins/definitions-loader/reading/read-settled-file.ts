import { statSync } from 'node:fs';
import { readFileBytes } from './read-file.ts';

/** An empty file that changed within this time counts as being written. */
const freshMs = 1_000;
const pauseMs = 5;

/**
 * Reads files, and waits a little for files that became empty a moment ago: most programs empty a file before they write it,
 * and an empty file is valid, so all its definitions would be removed. Blocks its thread.
 */
export class SettledFileReader {
  readonly #now: () => number;
  #settleMs: number;

  /** `settleMs` is the waiting time for all files together; `now` is in milliseconds since 1970. */
  constructor(settleMs: number, now: () => number) {
    this.#settleMs = settleMs;
    this.#now = now;
  }

  /** As `readFileBytes`. */
  read(path: string): Buffer {
    for (;;) {
      const bytes = readFileBytes(path);
      if (bytes.length > 0 || this.#settleMs <= 0 || !this.#isFresh(path)) return bytes;
      this.#settleMs -= pauseMs;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }

  #isFresh(path: string): boolean {
    return this.#now() - statSync(path).mtimeMs < freshMs;
  }
}
