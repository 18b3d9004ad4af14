import type { FileSystem } from './file-system.ts';

/**
 * A file for appending. Writes reach the operating system immediately, and the disk without blocking: a busy disk may take seconds, and
 * the event loop must not wait for it.
 */
export class SyncedFile {
  readonly #files: FileSystem;
  readonly #descriptor: number;
  readonly #onError: (error: unknown) => void;
  /** Whether something may have been written since the last sync began. */
  #isDirty = true;
  #isSyncing = false;
  #isClosed = false;

  constructor(files: FileSystem, descriptor: number, onError: (error: unknown) => void) {
    this.#files = files;
    this.#descriptor = descriptor;
    this.#onError = onError;
  }

  /** Throws when not all of the text could be written. The file is then as it was before. */
  write(text: string): void {
    const size = this.#files.size(this.#descriptor);
    try {
      this.#files.append(this.#descriptor, Buffer.from(text));
    } catch (error) {
      this.#cut(size);
      throw error;
    }
    this.#isDirty = true;
  }

  /** Starts a sync. Only one runs at a time; another one follows if more has been written. */
  syncLater(): void {
    if (this.#isSyncing || !this.#isDirty) return;
    this.#isSyncing = true;
    this.#isDirty = false;
    void this.#files
      .sync(this.#descriptor)
      .catch(this.#onError)
      .then(() => {
        this.#isSyncing = false;
        if (this.#isClosed) this.#files.close(this.#descriptor);
        else this.syncLater();
      });
  }

  /** Syncs everything that was written, and blocks until it is on the disk. */
  sync(): void {
    if (!this.#isDirty && !this.#isSyncing) return;
    this.#isDirty = false;
    this.#files.syncNow(this.#descriptor);
  }

  /** Closes the file after a running sync has ended. */
  close(): void {
    this.#isClosed = true;
    if (!this.#isSyncing) this.#files.close(this.#descriptor);
  }

  #cut(size: number): void {
    try {
      this.#files.truncate(this.#descriptor, size);
    } catch (error) {
      this.#onError(error);
    }
  }
}
