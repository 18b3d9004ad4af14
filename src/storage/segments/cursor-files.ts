import { join } from 'node:path';
import { isMissing } from '../disk-failure.ts';
import type { FileSystem } from '../file-system.ts';
import { type Cursor, encodeCursor, placeOfCursor } from './cursor.ts';
import type { Segment } from './segment.ts';
import { createHeader } from './segment-header.ts';

/** A header without records, beside the segments. */
export const spareName = 'cursors';

/**
 * Writes cursors into the header of the oldest segment and into a spare file, in place, which works on a full disk too. The two need not
 * agree: the newest cursor is valid, so that either file may be lost.
 */
export class CursorFiles {
  readonly #files: FileSystem;
  readonly #sparePath: string;
  readonly #onError: (error: unknown) => void;
  readonly #segment: CursorFile;
  readonly #spare: CursorFile;
  #hasSpare: boolean;

  constructor(files: FileSystem, directory: string, hasSpare: boolean, onError: (error: unknown) => void) {
    this.#files = files;
    this.#sparePath = join(directory, spareName);
    this.#hasSpare = hasSpare;
    this.#onError = onError;
    this.#segment = new CursorFile(files);
    this.#spare = new CursorFile(files);
  }

  /** Creates the spare file if there is none yet. */
  addSpare(nowMs: number): void {
    if (this.#hasSpare) return;
    this.#guard(() => {
      const descriptor = this.#files.open(this.#sparePath, 'new');
      this.#hasSpare = true;
      try {
        this.#files.write(descriptor, [createHeader(nowMs)], 0);
      } finally {
        this.#files.close(descriptor);
      }
    });
  }

  /** A file that cannot be written keeps its earlier cursor. A missing segment is no error: an operator may have removed it. */
  write(oldest: Segment | undefined, cursor: Cursor): void {
    if (this.#hasSpare) this.#guard(() => this.#spare.write(this.#sparePath, cursor));
    if (oldest !== undefined) this.#guard(() => this.#segment.write(oldest.path, cursor), isMissing);
  }

  /** For a log that has neither segments nor records left. */
  removeSpare(): void {
    if (!this.#hasSpare) return;
    this.#hasSpare = false;
    this.#guard(() => {
      this.#spare.close();
      this.#files.remove(this.#sparePath);
    });
  }

  /** For a directory that was removed: `addSpare` then creates the spare file again. */
  forgetRemoved(): void {
    this.close();
    this.#hasSpare = false;
  }

  close(): void {
    this.#guard(() => this.#segment.close());
    this.#guard(() => this.#spare.close());
  }

  #guard(step: () => void, isHarmless: (error: unknown) => boolean = () => false): void {
    try {
      step();
    } catch (error) {
      if (!isHarmless(error)) this.#onError(error);
    }
  }
}

/** The file that cursors are currently written to. */
class CursorFile {
  readonly #files: FileSystem;
  #path: string | undefined;
  #descriptor = -1;

  constructor(files: FileSystem) {
    this.#files = files;
  }

  write(path: string, cursor: Cursor): void {
    if (path !== this.#path) {
      this.close();
      this.#descriptor = this.#files.open(path, 'existing');
      this.#path = path;
    }
    this.#files.write(this.#descriptor, [encodeCursor(cursor)], placeOfCursor(cursor));
  }

  close(): void {
    if (this.#path === undefined) return;
    this.#path = undefined;
    this.#files.close(this.#descriptor);
  }
}
