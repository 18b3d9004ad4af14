import type { FileSystem } from './file-system.ts';
import { encodeLine } from './journal-line.ts';
import { unfinishedName } from './replace-file.ts';

/** What comes in while the file is written follows in so many goes beside other work; the little that is left, at once. */
const catchUpRounds = 3;

/**
 * Writes a journal anew beside the old one, between other work. Until `finish` the old file holds all there is: whatever
 * happens before, nothing is lost and nothing has changed.
 */
export class JournalRewrite {
  /** Of the new file. */
  readonly keys = new Set<string>();
  lines = 0;
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #descriptor: number;
  /** Changes since the beginning that are not written yet, and which keys they leave living. */
  #news: string[] = [];
  readonly #isLiving = new Map<string, boolean>();
  #isOver = false;

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
    this.#descriptor = files.open(unfinishedName(path), 'replace');
  }

  /** A change that the journal takes meanwhile: it stands behind the values. */
  note(key: string, line: string, isDeletion: boolean): void {
    this.#isLiving.set(key, !isDeletion);
    this.lines++;
    this.#news.push(line);
  }

  /** Writes the values, about so many octets at a time; false when it was given up meanwhile. */
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
      if (!(await this.#write([...slice, ...this.#news.splice(0)]))) return false;
      slice = [];
      await this.#files.sync(this.#descriptor);
    }
    return !this.#isOver;
  }

  /**
   * Puts the new file into the place of the old one, in one step; answers with its descriptor, to append by. All is on the
   * disk then but what came in at the very last.
   */
  finish(): number {
    this.#files.append(this.#descriptor, Buffer.from(this.#news.splice(0).join('')));
    this.#files.rename(unfinishedName(this.#path), this.#path);
    this.#isOver = true;
    for (const [key, isLiving] of this.#isLiving) {
      if (isLiving) this.keys.add(key);
      else this.keys.delete(key);
    }
    return this.#descriptor;
  }

  /** Leaves the old file as it is. `writeValues` answers false then, or has to end first: `close` comes behind it. */
  giveUp(): void {
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
