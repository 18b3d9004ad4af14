import { normalizeOid } from '../../src/model/oid.ts';
import type { SnmpSession, Varbind, WalkOutcome } from '../../src/snmp/index.ts';

type Partial = WalkOutcome['partial'];

/** A walk without a limit on its length. The root may also be `1`. */
export class TreeWalk implements AsyncIterable<readonly Varbind[]> {
  readonly #session: SnmpSession;
  readonly #roots: readonly string[];
  readonly #maxRepetitions: number | undefined;
  #partial: Partial = [];

  /** Several roots are walked in parallel. */
  constructor(session: SnmpSession, roots: readonly string[], maxRepetitions?: number) {
    this.#session = session;
    this.#roots = roots;
    this.#maxRepetitions = maxRepetitions;
  }

  /** The subtrees that were not read to the end. */
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

/** An OID needs at least two arcs (X.690 §8.19.4): below `1` there are four subtrees, which are walked one after the other. */
function phasesOf(roots: readonly string[]): readonly (readonly string[])[] {
  const isWholeTree = roots.length === 1 && normalizeOid(roots[0]!) === '1';
  return isWholeTree ? [['1.0'], ['1.1'], ['1.2'], ['1.3']] : [roots];
}
