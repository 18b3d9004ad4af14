import type { Writable } from 'node:stream';
import type { Varbind } from '../../../snmp/index.ts';
import { TextOutput } from '../../terminal/text-output.ts';
import { formatVarbindJson } from './varbind-json.ts';
import { formatVarbind } from './varbind-text.ts';

/** Prints varbinds, one per line, and waits while the reader is slower. */
export class VarbindOutput {
  readonly #output: TextOutput;
  readonly #format: (varbind: Varbind) => string;

  constructor(stream: Writable, { json = false }: { readonly json?: boolean | undefined }) {
    this.#output = new TextOutput(stream);
    this.#format = json ? formatVarbindJson : formatVarbind;
  }

  /** False when the pipe was closed, for example by `| head`. */
  print(varbinds: readonly Varbind[]): Promise<boolean> {
    return this.#output.print(varbinds.map((varbind) => `${this.#format(varbind)}\n`).join(''));
  }
}
