import { compareOids } from '../../../model/oid.ts';
import type { Varbind } from '../../../snmp/index.ts';

/** What two walks say about one OID; at least one of them says something. */
export interface VarbindPair {
  readonly ours: Varbind | undefined;
  readonly theirs: Varbind | undefined;
}

type Walked = AsyncIterable<readonly Varbind[]>;

/** Two walks in the order of OIDs, side by side. Neither runs ahead of the other by more than a reply. */
export async function* pairVarbinds(ourWalk: Walked, theirWalk: Walked): AsyncGenerator<VarbindPair> {
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
