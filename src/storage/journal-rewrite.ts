import type { FileSystem } from './file-system.ts';
import { encodeLine } from './journal-line.ts';
import { unfinishedName } from './replace-file.ts';

/** Changes that arrive during the rewrite are appended in this many rounds without blocking; the few that remain are written in one step. */
const catchUpRounds = 3;

/**
 * Writes a new journal beside the old one, in slices. Until `finish`, the old file is complete: if anything fails before, nothing is lost
 * and nothing has changed.
 */
export class JournalRewrite {
  /** The keys of the new file. */
  readonly keys = new Set<string>();
  lines = 0;
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #descriptor: number;
  /** Changes since the rewrite began that are not written yet, and whether each changed key still exists. */
  #unwritten: string[] = [];
  readonly #exists = new Map<string, boolean>();
  #isOver = false;

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
    this.#descriptor = files.open(unfinishedName(path), 'replace');
  }

  /** Adds a change that the journal receives meanwhile. It is written after the values. */
  add(key: string, line: string, isDeletion: boolean): void {
    this.#exists.set(key, !isDeletion);
    this.lines++;
    this.#unwritten.push(line);
  }

  /** Writes the values in slices of about `sliceBytes`. Returns false when the rewrite was cancelled meanwhile. */
  async writeValues(
    values: Iterable<readonly [key: string, value: unknown]>,
    sliceBytes: number,
  ): Promise<boolean> {
    let slice: string[] = [];
    let bytes = 0;
    for (const [key, value] of values) {
      const line = encodeLine([key, value]);
      this.keys.add(key);
      this.lines++;
      slice.push(line);
      bytes += line.length;
      if (bytes < sliceBytes) continue;
      if (!(await this.#write(slice))) return false;
      slice = [];
      bytes = 0;
    }
    for (let round = 0; round < catchUpRounds; round++) {
      if (!(await this.#write([...slice, ...this.#unwritten.splice(0)]))) return false;
      slice = [];
      await this.#files.sync(this.#descriptor);
    }
    return !this.#isOver;
  }

  /**
   * Replaces the old file by the new one in one step, and returns its descriptor for appending. Everything but the last changes is synced
   * to the disk.
   */
  finish(): number {
    this.#files.append(this.#descriptor, Buffer.from(this.#unwritten.splice(0).join('')));
    this.#files.rename(unfinishedName(this.#path), this.#path);
    this.#isOver = true;
    for (const [key, exists] of this.#exists) {
      if (exists) this.keys.add(key);
      else this.keys.delete(key);
    }
    return this.#descriptor;
  }

  /** Leaves the old file as it is. A running `writeValues` returns false. Call `close` when it has ended. */
  cancel(): void {
    if (!this.#isOver) this.#files.remove(unfinishedName(this.#path));
    this.#isOver = true;
  }

  close(): void {
    this.#files.close(this.#descriptor);
  }

  async #write(lines: readonly string[]): Promise<boolean> {
    if (lines.length > 0) await this.#files.appendLater(this.#descriptor, Buffer.from(lines.join('')));
    return !this.#isOver;
  }
}
