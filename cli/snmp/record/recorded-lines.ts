import { cliFailure } from '../../cli-errors.ts';
import type { TreeWalk } from '../tree-walk.ts';
import type { ProgressLine } from './progress-line.ts';
import type { Redaction } from './redaction.ts';
import { formatSnmprecLine } from './snmprec-line.ts';

/** The lines of a recording, one reply at a time. Throws RECORDING_EMPTY when there were none. */
export class RecordedLines implements AsyncIterable<string> {
  count = 0;
  readonly #tree: TreeWalk;
  readonly #source: { readonly target: string; readonly root: string };
  readonly #redaction: Redaction | undefined;
  readonly #progress: ProgressLine;

  constructor(
    tree: TreeWalk,
    source: { readonly target: string; readonly root: string },
    redaction: Redaction | undefined,
    progress: ProgressLine,
  ) {
    this.#tree = tree;
    this.#source = source;
    this.#redaction = redaction;
    this.#progress = progress;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    try {
      for await (const varbinds of this.#tree) {
        let lines = '';
        for (const varbind of varbinds) {
          const recorded = this.#redaction === undefined ? varbind : this.#redaction.redact(varbind);
          if (recorded === undefined) continue;
          lines += formatSnmprecLine(recorded);
          this.count++;
        }
        this.#progress.show(this.count, varbinds.at(-1)?.oid ?? '');
        yield lines;
      }
    } finally {
      this.#progress.clear();
    }
    if (this.count === 0) throw cliFailure('RECORDING_EMPTY', this.#source);
  }
}
