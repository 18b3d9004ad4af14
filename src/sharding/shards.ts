import { definePlugin } from '../kernel/plugin.ts';
import { type ServiceToken, serviceToken } from '../kernel/service-token.ts';
import type { Claim, Member } from './coordinator.ts';

/**
 * Which devices this collector asks. Each device belongs to a shard (`shardOf`), and each shard to one collector at a time. A
 * collector without a cluster owns all shards.
 */
export interface Shards {
  /** Whether this collector asks the devices of the shard at this moment. Check it before every poll. */
  owns(shard: number): boolean;
  /** Whether any packet may be sent at this moment; undefined when always. Checked for every packet, repeated ones too. */
  readonly maySend: (() => boolean) | undefined;
  /** Grows whenever the shard gets another owner; undefined without a cluster. */
  epochOf(shard: number): number | undefined;
  /** Adds a part of the collector that works for the devices of shards. Returns a function that removes it. */
  join(part: ShardPart): () => void;
  /** Gives every shard to another member. Resolves when that is done, or when there is no time left for it. */
  leave(): Promise<void>;
  /** The collectors of the fleet; undefined without a cluster. */
  readonly fleet: Fleet | undefined;
}

/** What the members of a cluster know of each other. */
export interface Fleet {
  /** The name of this member. */
  readonly name: string;
  readonly members: ReadonlyMap<string, Member>;
  readonly claims: ReadonlyMap<number, Claim>;
  /** Values that all members share. */
  readonly shared: ReadonlyMap<string, string>;
  /** The member that owns the shard now, or that should own it; undefined when there is none. */
  ownerOf(shard: number): string | undefined;
  share(key: string, value: string | undefined): Promise<void>;
  /** Calls `listener` after each change of a shared value whose key begins with `prefix`. Returns a function that ends this. */
  onShared(prefix: string, listener: (key: string, value: string | undefined) => void): () => void;
}

/** A part of the collector that works for the devices of shards. Parts gain in the order of `join`, and lose in the reverse order. */
export interface ShardPart {
  /** Names its share of the state that a shard's next owner receives. */
  readonly name: string;
  /** Takes over what the last owner has collected. Called before `gain`. */
  restore?(shard: number, state: unknown): void;
  /** Begins to work for the devices of these shards. */
  gain?(shards: ReadonlySet<number>): void;
  /** Ends all work for their devices, and resolves when nothing is under way. */
  lose?(shards: ReadonlySet<number>): Promise<void> | void;
  /** What the next owner needs: JSON without secrets; undefined or empty for nothing. */
  collect?(shard: number): Readonly<Record<string, unknown>> | undefined;
  /** Another member has these shards, with the state that `collect` returned. */
  forget?(shards: ReadonlySet<number>): void;
}

export const shardsToken: ServiceToken<Shards> = serviceToken<Shards>('shards');

/** One collector alone. */
const allShards: Shards = Object.freeze({
  owns: () => true,
  maySend: undefined,
  epochOf: () => undefined,
  join: () => () => {},
  leave: () => Promise.resolve(),
  fleet: undefined,
});

/** The default: this collector owns every device. The plugin `cluster` takes its place. */
export const shardsPlugin = definePlugin({
  name: 'shards',
  kind: 'service',
  summary: 'Owns every device: this collector is alone.',
  provides: shardsToken,
  start: () => allShards,
});
