import type { Writable } from 'node:stream';
import type { Varbind } from '../../../src/snmp/index.ts';
import { TextOutput } from '../../terminal/text-output.ts';

/** Prints varbinds, one per line, and waits while the reader is slower. */
export class VarbindOutput {
  readonly #output: TextOutput;
  readonly #format: (varbind: Varbind) => string;

  constructor(stream: Writable, format: (varbind: Varbind) => string) {
    this.#output = new TextOutput(stream);
    this.#format = format;
  }

  /** False when the pipe was closed, for example by `| head`. */
  print(varbinds: readonly Varbind[]): Promise<boolean> {
    return this.#output.print(varbinds.map((varbind) => `${this.#format(varbind)}\n`).join(''));
  }
}
