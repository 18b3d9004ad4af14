import type { Writable } from 'node:stream';
import type { Varbind } from '../../../snmp/index.ts';
import { formatVarbindJson } from './varbind-json.ts';
import { formatVarbind } from './varbind-text.ts';

/** Prints varbinds line by line, no faster than they are read. */
export class VarbindOutput {
  readonly #stream: Writable;
  readonly #format: (varbind: Varbind) => string;

  constructor(stream: Writable, { json = false }: { readonly json?: boolean | undefined }) {
    this.#stream = stream;
    this.#format = json ? formatVarbindJson : formatVarbind;
    // The callback of each write tells; without a listener the process would end with a stack.
    stream.on('error', () => {});
  }

  /** Whether anybody still reads: false once the pipe is closed, as `| head` closes it. */
  print(varbinds: readonly Varbind[]): Promise<boolean> {
    const text = varbinds.map((varbind) => `${this.#format(varbind)}\n`).join('');
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
