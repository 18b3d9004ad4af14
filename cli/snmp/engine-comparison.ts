import { compareOids, type Oid } from '../../src/model/oid.ts';
import { isException, type SnmpSession, type Varbind } from '../../src/snmp/index.ts';
import { cliFailure } from '../cli-errors.ts';
import { formatVarbindJson } from './output/varbind-json.ts';
import { TreeWalk } from './tree-walk.ts';

/** What two walks found at one OID; at least one of the two is there. */
export interface VarbindPair {
  readonly ours: Varbind | undefined;
  readonly theirs: Varbind | undefined;
}

/** Walks one subtree with two engines and yields the differences. A value that changed between the two walks is not one. */
export class EngineComparison implements AsyncIterable<VarbindPair> {
  compared = 0;
  moved = 0;
  different = 0;
  readonly #ours: SnmpSession;
  readonly #theirs: SnmpSession;
  readonly #root: Oid;

  constructor(ours: SnmpSession, theirs: SnmpSession, root: Oid) {
    this.#ours = ours;
    this.#theirs = theirs;
    this.#root = root;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<VarbindPair, void, undefined> {
    const ours = nameFailures('waywiser', this.#ours, new TreeWalk(this.#ours, [this.#root]));
    const theirs = nameFailures('net-snmp', this.#theirs, new TreeWalk(this.#theirs, [this.#root]));
    for await (const pair of pairVarbinds(ours, theirs)) {
      this.compared++;
      if (isSame(pair.ours, pair.theirs)) continue;
      if (await this.#hasMoved(pair)) {
        this.moved++;
      } else {
        this.different++;
        yield pair;
      }
    }
  }

  #hasMoved({ ours, theirs }: VarbindPair): Promise<boolean> {
    return ours !== undefined && theirs !== undefined
      ? this.#isMoving(ours.oid)
      : this.#hasGone((ours ?? theirs)!.oid);
  }

  /**
   * Asks our engine, the other one, and ours again. The value is moving when the other engine now reads one of our two values, or
   * when these two differ.
   */
  async #isMoving(oid: Oid): Promise<boolean> {
    for (let round = 0; round < rounds; round++) {
      const [before] = await this.#ours.get([oid]);
      const [between] = await this.#theirs.get([oid]);
      const [after] = await this.#ours.get([oid]);
      if (isSame(before, between) || isSame(between, after) || !isSame(before, after)) return true;
    }
    return false;
  }

  /** A row that only one walk found may have disappeared between the two. */
  async #hasGone(oid: Oid): Promise<boolean> {
    const [ours] = await this.#ours.get([oid]);
    const [theirs] = await this.#theirs.get([oid]);
    return isException(ours!.type) && isException(theirs!.type);
  }
}

/** A value that changes from time to time can stay the same during one round, but hardly during several in a row. */
const rounds = 3;

function isSame(left: Varbind | undefined, right: Varbind | undefined): boolean {
  return left !== undefined && right !== undefined && formatVarbindJson(left) === formatVarbindJson(right);
}

async function* nameFailures(
  engine: string,
  session: SnmpSession,
  walk: TreeWalk,
): AsyncGenerator<readonly Varbind[]> {
  try {
    yield* walk;
  } catch (error) {
    throw cliFailure('ENGINE_FAILED', { engine, target: session.name }, error);
  }
  // An engine that cannot read a reply waits for another one, and goes on without it.
  if (walk.partial.some(({ reason }) => reason === 'unanswered')) {
    const why = new Error(
      'The agent answers, but the engine received no answer that it can read for some objects.',
    );
    throw cliFailure('ENGINE_FAILED', { engine, target: session.name }, why);
  }
}

type Walked = AsyncIterable<readonly Varbind[]>;

/** Pairs two walks, both in the order of OIDs. Neither runs ahead of the other by more than one reply. */
async function* pairVarbinds(ourWalk: Walked, theirWalk: Walked): AsyncGenerator<VarbindPair> {
  const ours = flatten(ourWalk);
  const theirs = flatten(theirWalk);
  try {
    let [our, their] = await Promise.all([ours.next(), theirs.next()]);
    while (!our.done || !their.done) {
      const order = our.done ? 1 : their.done ? -1 : compareOids(our.value.oid, their.value.oid);
      yield {
        ours: our.done || order > 0 ? undefined : our.value,
        theirs: their.done || order < 0 ? undefined : their.value,
      };
      if (order <= 0) our = await ours.next();
      if (order >= 0) their = await theirs.next();
    }
  } finally {
    await Promise.all([ours.return(), theirs.return()]);
  }
}

async function* flatten(walk: Walked): AsyncGenerator<Varbind, void, undefined> {
  for await (const varbinds of walk) yield* varbinds;
}
