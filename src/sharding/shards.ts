import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
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
  /** The processes that work for this one on the same machine; without them there is no such method. */
  readonly workers?: () => readonly Member[];
  /** Sentences about workers that do not run; without workers there is no such method. */
  readonly listProblems?: () => readonly string[];
}

/** What the members of a cluster know of each other. */
export interface Fleet {
  /** The name of this member. */
  readonly name: string;
  readonly members: ReadonlyMap<string, Member>;
  readonly claims: ReadonlyMap<number, Claim>;
  /** Values that all members share. */
  readonly shared: ReadonlyMap<string, string>;
  /** Identifies the data of the store; undefined while this member does not use it. */
  readonly identity: string | undefined;
  /** The member that owns the shard now, or that should own it; undefined when there is none. */
  ownerOf(shard: number): string | undefined;
  /** How sure this member is of its shards. */
  status(): FleetStatus;
  /** Requests of members to each other; undefined when members do not call each other. */
  readonly requests: MemberRequests | undefined;
  /** Sets a value for all members, or removes it. Rejects when the store cannot be reached. */
  share(key: string, value: string | undefined): Promise<void>;
  /** Keeps data that is too large for `share` under a name that is made of its content. Removes all other such data except `kept`. */
  saveContent(name: string, content: Uint8Array, kept: readonly string[]): Promise<void>;
  loadContent(name: string): Promise<Uint8Array | undefined>;
  /** Calls `listener` after each change of a shared value whose key begins with `prefix`. Returns a function that ends this. */
  onShared(prefix: string, listener: (key: string, value: string | undefined) => void): () => void;
  /** Calls `listener` whenever `shared` has everything that the store has. Returns a function that ends this. */
  onSnapshot(listener: () => void): () => void;
}

export interface FleetStatus {
  readonly ownedShards: number;
  /** Shards that no member owns. */
  readonly unownedShards: number;
  /** Since the last acknowledged renewal was sent; undefined before the first. */
  readonly leaseAgeMs: number | undefined;
  /** Shards that this member gave to others. */
  readonly moves: number;
  /** Why this member cannot be sure of its shards. */
  readonly degraded: string | undefined;
  /** Why devices that should be polled are not; undefined while they are, and while shards move. */
  readonly notReady: string | undefined;
}

/** HTTP requests of members to each other. */
export interface MemberRequests {
  /** Whether a token is the one that members show to each other. */
  isToken(text: string): boolean;
  /** Resolves with the first byte of the answer, whatever its status. Rejects when the member cannot be reached. */
  ask(member: Member, call: MemberCall): Promise<MemberAnswer>;
}

export interface MemberCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** How long the member may be silent. */
  readonly timeoutMs: number;
}

export interface MemberAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** A part of the collector that works for the devices of shards. Parts gain in the order of `join`, and lose in the reverse order. */
export interface ShardPart {
  /** Names its share of the state that a shard's next owner receives. */
  readonly name: string;
  /**
   * Takes over what an earlier owner has collected. Called before `gain`. `isDirect`: that owner gave the shard away, and nobody had it
   * since.
   */
  restore?(shard: number, state: unknown, isDirect: boolean): void;
  /** Begins to work for the devices of these shards. `isAgain`: nobody else owned them since this collector lost them. */
  gain?(shards: ReadonlySet<number>, isAgain: boolean): void;
  /**
   * Ends all work for their devices, and resolves when nothing is under way. `ownedUntilMs`: until when, on the monotonic clock, nobody else
   * can have owned them; undefined when this collector gives them away, and the next owner continues at once.
   */
  lose?(shards: ReadonlySet<number>, ownedUntilMs: number | undefined): Promise<void> | void;
  /** What the next owner needs: JSON without secrets; undefined or empty for nothing. */
  collect?(shard: number): Readonly<Record<string, unknown>> | undefined;
  /** Another member has these shards, with the state that `collect` returned. */
  forget?(shards: ReadonlySet<number>): void;
}

export const shardsToken: ServiceToken<Shards> = serviceToken<Shards>('shards');

/**
 * For sinks that refuse the readings of former owners: an owner that was silent for so long is none any more. So epochs may begin again,
 * after the store has lost its data.
 */
export const ownerSilentMs = 300_000;

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
