import { closeSync, fsync, fsyncSync, writeSync } from 'node:fs';

/**
 * A file that is appended to. What is written reaches the system at once, and the disk beside other work: a busy disk may
 * take seconds, in which the event loop must not stand still.
 */
export class SyncedFile {
  readonly #descriptor: number;
  readonly #onError: (error: unknown) => void;
  /** Whether something may have been written since the last sync began. */
  #isDirty = true;
  #isSyncing = false;
  #isClosed = false;

  constructor(descriptor: number, onError: (error: unknown) => void) {
    this.#descriptor = descriptor;
    this.#onError = onError;
  }

  write(text: string): void {
    writeSync(this.#descriptor, text);
    this.#isDirty = true;
  }

  /** Begins to bring what was written to the disk; at most one such at a time, and another behind it where there is more. */
  syncLater(): void {
    if (this.#isSyncing || !this.#isDirty) return;
    this.#isSyncing = true;
    this.#isDirty = false;
    fsync(this.#descriptor, (error) => {
      this.#isSyncing = false;
      if (error !== null) this.#onError(error);
      if (this.#isClosed) closeSync(this.#descriptor);
      else this.syncLater();
    });
  }

  /** What was written is on the disk when it returns. */
  sync(): void {
    if (!this.#isDirty && !this.#isSyncing) return;
    this.#isDirty = false;
    fsyncSync(this.#descriptor);
  }

  /** A sync that is under way ends first. */
  close(): void {
    this.#isClosed = true;
    if (!this.#isSyncing) closeSync(this.#descriptor);
  }
}
