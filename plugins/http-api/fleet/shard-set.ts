import { shardCount } from '../../../src/sharding/index.ts';

/** In an answer: the shards that were asked for and that the member does not own. */
export const movedHeader = 'waywiser-moved';

/** A bit for each shard. */
export function encodeShards(shards: Iterable<number>): string {
  const bits = new Uint8Array(shardCount / 8);
  for (const shard of shards) bits[shard >> 3]! |= 1 << (shard & 7);
  return Buffer.from(bits).toString('base64url');
}

export function decodeShards(text: string): ReadonlySet<number> {
  const bits = Buffer.from(text, 'base64url');
  const shards = new Set<number>();
  for (let shard = 0; shard < shardCount; shard++)
    if (((bits[shard >> 3] ?? 0) >> (shard & 7)) & 1) shards.add(shard);
  return shards;
}
