import type { Writable } from 'node:stream';

/** Prints text that may be much, no faster than it is read. */
export class TextOutput {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
    // The callback of each write tells; without a listener the process would end with a stack.
    stream.on('error', () => {});
  }

  /** Whether anybody still reads: false once the pipe is closed, as `| head` closes it. */
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
