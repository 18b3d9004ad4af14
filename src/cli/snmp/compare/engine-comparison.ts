import type { Oid } from '../../../model/oid.ts';
import { isException, type SnmpSession, type Varbind } from '../../../snmp/index.ts';
import { snmpCommandFailure } from '../failure.ts';
import { formatVarbindJson } from '../output/varbind-json.ts';
import { TreeWalk } from '../tree-walk.ts';
import { pairVarbinds, type VarbindPair } from './varbind-pairs.ts';

/** Walks one subtree with two engines and yields where they differ. Values that move meanwhile are no difference. */
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
    const ours = nameFaults('waywiser', this.#ours, new TreeWalk(this.#ours, [this.#root]));
    const theirs = nameFaults('net-snmp', this.#theirs, new TreeWalk(this.#theirs, [this.#root]));
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

  /** Asks ours, theirs and ours again: theirs is excused by an equal value, or by one that does not stay. */
  async #isMoving(oid: Oid): Promise<boolean> {
    for (let round = 0; round < rounds; round++) {
      const [before] = await this.#ours.get([oid]);
      const [between] = await this.#theirs.get([oid]);
      const [after] = await this.#ours.get([oid]);
      if (isSame(before, between) || isSame(between, after) || !isSame(before, after)) return true;
    }
    return false;
  }

  /** A row that only one walk saw may have ended between the two. */
  async #hasGone(oid: Oid): Promise<boolean> {
    const [ours] = await this.#ours.get([oid]);
    const [theirs] = await this.#theirs.get([oid]);
    return isException(ours!.type) && isException(theirs!.type);
  }
}

/** A value that changes now and then may stand still while it is asked three times; not so often in a row. */
const rounds = 3;

function isSame(left: Varbind | undefined, right: Varbind | undefined): boolean {
  return left !== undefined && right !== undefined && formatVarbindJson(left) === formatVarbindJson(right);
}

async function* nameFaults(
  engine: string,
  session: SnmpSession,
  walk: TreeWalk,
): AsyncGenerator<readonly Varbind[]> {
  try {
    yield* walk;
  } catch (error) {
    throw snmpCommandFailure('ENGINE_FAILED', { engine, target: session.name }, error);
  }
}
