import type { FileSystem } from './file-system.ts';

/**
 * A file that is appended to. What is written reaches the system at once, and the disk beside other work: a busy disk may
 * take seconds, in which the event loop must not stand still.
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

  /** Throws when the disk does not take all of it; the file is as it was then. */
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

  /** Begins to bring what was written to the disk; at most one such at a time, and another behind it where there is more. */
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

  /** What was written is on the disk when it returns. */
  sync(): void {
    if (!this.#isDirty && !this.#isSyncing) return;
    this.#isDirty = false;
    this.#files.syncNow(this.#descriptor);
  }

  /** A sync that is under way ends first. */
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
