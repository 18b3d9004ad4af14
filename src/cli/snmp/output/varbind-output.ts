import type { Writable } from 'node:stream';
import type { Varbind } from '../../../snmp/index.ts';
import { TextOutput } from '../../terminal/text-output.ts';
import { formatVarbindJson } from './varbind-json.ts';
import { formatVarbind } from './varbind-text.ts';

/** Prints varbinds line by line, no faster than they are read. */
export class VarbindOutput {
  readonly #output: TextOutput;
  readonly #format: (varbind: Varbind) => string;

  constructor(stream: Writable, { json = false }: { readonly json?: boolean | undefined }) {
    this.#output = new TextOutput(stream);
    this.#format = json ? formatVarbindJson : formatVarbind;
  }

  /** Whether anybody still reads: false once the pipe is closed, as `| head` closes it. */
  print(varbinds: readonly Varbind[]): Promise<boolean> {
    return this.#output.print(varbinds.map((varbind) => `${this.#format(varbind)}\n`).join(''));
  }
}
