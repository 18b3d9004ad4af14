import { closeSync, readSync } from 'node:fs';
import { openPlainFile } from './mib-files.ts';

/** Reads many files one after the other into the same memory: to search thousands of them, nearly all time would go into allocating it. */
export class FileScanner {
  #buffer = Buffer.allocUnsafe(64 * 1024);

  /** The first bytes of a file, until the next call. Undefined when it cannot be read; that is reported when it is loaded. */
  read(path: string, maxBytes: number): Buffer | undefined {
    try {
      const { file } = openPlainFile(path);
      try {
        return this.#fill(file, maxBytes);
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  #fill(file: number, maxBytes: number): Buffer {
    let filled = 0;
    while (filled < maxBytes) {
      if (filled === this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer, this.#buffer]);
      const room = Math.min(maxBytes, this.#buffer.length) - filled;
      const count = readSync(file, this.#buffer, filled, room, filled);
      filled += count;
      if (count < room) break;
    }
    return this.#buffer.subarray(0, filled);
  }
}
