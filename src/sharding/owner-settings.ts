import type { Member } from './coordinator.ts';
import { shardCount } from './shard.ts';

export interface OwnerSettings {
  readonly member: Member;
  readonly leaseMs: number;
  /** Shards that are given to other members per second, at most. */
  readonly movesPerSecond: number;
  /** Whether devices are asked further while the store cannot be reached. Then two members may ask the same device. */
  readonly keepsOnOutage: boolean;
  /** How often the state of each shard is kept for an heir. */
  readonly saveEveryMs: number;
  /** The longest time for giving all shards away. */
  readonly leaveWithinMs: number;
}

export interface OwnerListener {
  /**
   * Whether a store with this identity may be used; a text says why not, or not yet. `peers` are the members that this one has seen while it
   * had a lease, in the store with the identity that it used then.
   */
  mayUse(
    identity: string,
    peers: ReadonlyMap<string, Member> | undefined,
  ): boolean | string | Promise<boolean | string>;
  onGained(shards: number): void;
  onLost(shards: number, why: string): void;
  onMembers(joined: readonly string[], left: readonly string[]): void;
  /** Another process lives under this member's name. */
  onNameTaken(): void;
  /** Why this member cannot be sure of its shards; undefined when it can again. */
  onDegraded(why: string | undefined): void;
  onProblem(error: unknown): void;
}

/** What a member does with a shard. Only an owned shard's devices are asked. */
export const phase = { free: 0, claiming: 1, opening: 2, owned: 3, closing: 4 } as const;

export const limits = {
  /** After a request to the store that failed. */
  retryMs: 1_000,
  maxClaiming: 256,
  gatherMs: 20,
  moveEveryMs: 100,
  /** Leaving must end before the collector's own deadlines. */
  leavingShare: 0.5,
} as const;

/** A member that leaves moves faster if it must. */
export function movesPerTurn({ movesPerSecond, leaveWithinMs }: OwnerSettings, isLeaving: boolean): number {
  const leavingPace = isLeaving ? shardCount / ((leaveWithinMs / 1000) * limits.leavingShare) : 0;
  return Math.ceil((Math.max(movesPerSecond, leavingPace) * limits.moveEveryMs) / 1000);
}
