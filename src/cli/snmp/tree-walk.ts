import { normalizeOid } from '../../model/oid.ts';
import type { SnmpSession, Varbind, WalkOutcome } from '../../snmp/index.ts';

type Partial = WalkOutcome['partial'];

/** A walk of any length from any root, also from `1`. */
export class TreeWalk implements AsyncIterable<readonly Varbind[]> {
  readonly #session: SnmpSession;
  readonly #roots: readonly string[];
  readonly #maxRepetitions: number | undefined;
  #partial: Partial = [];

  /** Several roots are walked side by side. */
  constructor(session: SnmpSession, roots: readonly string[], maxRepetitions?: number) {
    this.#session = session;
    this.#roots = roots;
    this.#maxRepetitions = maxRepetitions;
  }

  /** What was not read to its end. */
  get partial(): Partial {
    return this.#partial;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Varbind[], void, undefined> {
    for (const roots of phasesOf(this.#roots)) {
      const walk = this.#session.walk(roots, {
        maxVarbinds: Number.POSITIVE_INFINITY,
        maxRepetitions: this.#maxRepetitions,
      });
      yield* walk;
      this.#partial = [...this.#partial, ...walk.outcome.partial];
    }
  }
}

/** The first arc cannot be asked for alone (X.690 §8.19.4): below 1 there are four, which are walked one by one. */
function phasesOf(roots: readonly string[]): readonly (readonly string[])[] {
  const isWholeTree = roots.length === 1 && normalizeOid(roots[0]!) === '1';
  return isWholeTree ? [['1.0'], ['1.1'], ['1.2'], ['1.3']] : [roots];
}
