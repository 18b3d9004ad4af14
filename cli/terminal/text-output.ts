import type { Writable } from 'node:stream';

/** Prints large amounts of text and waits while the reader is slower. */
export class TextOutput {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Errors arrive in the callback of each write; without a listener the process would end with a stack trace.
    stream.on('error', () => {});
  }

  /** False when the pipe was closed, for example by `| head`. */
  print(text: string | Uint8Array): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#stream.write(text, (error?: NodeJS.ErrnoException | null) => {
        if (!error) resolve(true);
        else if (closedCodes.has(error.code)) resolve(false);
        else reject(error);
      });
    });
  }
}

const closedCodes: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);
