import type { FollowedEvent } from '../../../../src/client/index.ts';

interface Seen {
  readonly event: FollowedEvent;
  readonly at: number;
}

const sameTimeMs = 300_000;

/** Newest first, as they come. Shards that a member gains or loses in a row are one event, with their sum. */
export function joinMoves(events: readonly Seen[]): Seen[] {
  const joined: Seen[] = [];
  for (const seen of events) {
    const last = joined.at(-1);
    const sum = last === undefined ? undefined : addShards(last, seen);
    if (sum === undefined) joined.push(seen);
    else joined[joined.length - 1] = sum;
  }
  return joined;
}

/** Undefined for events that do not belong together. */
function addShards(newer: Seen, older: Seen): Seen | undefined {
  const [a, b] = [newer.event, older.event];
  if (a.member !== b.member || newer.at - older.at > sameTimeMs) return undefined;
  if (a.name === 'shard.gained' && b.name === 'shard.gained') {
    return { ...newer, event: { ...a, data: { ...a.data, shards: a.data.shards + b.data.shards } } };
  }
  if (a.name === 'shard.lost' && b.name === 'shard.lost' && a.data.why === b.data.why) {
    return { ...newer, event: { ...a, data: { ...a.data, shards: a.data.shards + b.data.shards } } };
  }
  return undefined;
}
