import { type Cursor, encodeCursor, placeOfCursor } from './cursor.ts';
import type { FileLayer } from './file-layer.ts';
import type { Segment } from './segment.ts';

/** Writes cursors into the header of a segment, in place: that passes on a full disk too. */
export class CursorFile {
  readonly #files: FileLayer;
  #path: string | undefined;
  #descriptor = -1;

  constructor(files: FileLayer) {
    this.#files = files;
  }

  /** Throws what the file system throws; the cursor before it holds on then. */
  write({ path }: Segment, cursor: Cursor): void {
    if (path !== this.#path) {
      this.close();
      this.#descriptor = this.#files.open(path, 'existing');
      this.#path = path;
    }
    this.#files.write(this.#descriptor, [encodeCursor(cursor)], placeOfCursor(cursor));
  }

  close(): void {
    if (this.#path !== undefined) this.#files.close(this.#descriptor);
    this.#path = undefined;
  }
}
