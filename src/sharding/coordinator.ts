/** One collector of a fleet. */
export interface Member {
  readonly name: string;
  /** Its share of the devices, compared with the weights of the others. 0: it owns nothing. */
  readonly weight: number;
  /** The URL of its HTTP API for the other members; undefined when they cannot reach it. */
  readonly address: string | undefined;
  readonly version: string;
  /** How long it may trust its lease after others have lost sight of it. */
  readonly leaseMs?: number;
}

/** That a member owns a shard. */
export interface Claim {
  readonly member: string;
  readonly lease: string;
  /** Higher than that of every earlier claim. Claims that are made together may have the same one. */
  readonly epoch: number;
}

/** Everything that members know of each other, at one revision of the store. */
export interface FleetSnapshot {
  readonly revision: number;
  readonly members: ReadonlyMap<string, Member>;
  readonly claims: ReadonlyMap<number, Claim>;
  readonly shared: ReadonlyMap<string, string>;
}

/** One change, at one revision of the store. A value of undefined means that the entry was removed. */
export type FleetChange = { readonly revision: number } & (
  | { readonly kind: 'member'; readonly name: string; readonly value: Member | undefined }
  | { readonly kind: 'claim'; readonly shard: number; readonly value: Claim | undefined }
  | { readonly kind: 'shared'; readonly key: string; readonly value: string | undefined }
);

/** Receives what changes in the store. Changes may come late, twice, and in any order. */
export interface FleetListener {
  /** First, and whenever changes may have been missed. */
  onSnapshot(snapshot: FleetSnapshot): void;
  onChange(change: FleetChange): void;
  /** The store may have other data than before: the lease may say nothing any more. */
  onDoubt?(): void;
}

/**
 * A store that several collectors share: leases, claims and small values. Every method may reject, and then may have had its
 * effect or not: callers repeat it. `checkCoordinator` of waywiser/testing checks an implementation.
 */
export interface Coordinator {
  /** Identifies the data of the store. It is another one after the data was lost, because epochs begin again then. */
  identify(): Promise<string>;
  /** Creates a lease that ends `leaseMs` after its last renewal or a little later, never earlier. */
  grantLease(leaseMs: number): Promise<string>;
  /** Resolves to false when the lease has ended. */
  renewLease(lease: string): Promise<boolean>;
  /** Ends a lease: its member and its claims are removed. Does nothing for one that has ended. */
  revokeLease(lease: string): Promise<void>;
  /** Adds or replaces a member, for as long as the lease lives. Resolves to false when another lease holds the name. */
  register(lease: string, member: Member): Promise<boolean>;
  /**
   * Claims a shard for as long as the lease lives. Resolves to the epoch, also when this lease had it already, and to undefined
   * when another lease has it. Rejects when the lease has ended.
   */
  claim(lease: string, member: string, shard: number): Promise<number | undefined>;
  /** Ends the claim with this epoch. Does nothing when the shard has another claim or none. */
  release(shard: number, epoch: number): Promise<void>;
  /** Reports the current entries and then every change, until the returned function is called. */
  watch(listener: FleetListener): () => void;
  /** Keeps the state of a shard for its next owner. Resolves to false when the claim with this epoch does not exist any more. */
  saveState(shard: number, epoch: number, state: Uint8Array): Promise<boolean>;
  /** The state of a shard that was kept last, with the epoch of the owner who kept it. */
  loadState(shard: number): Promise<SavedShard | undefined>;
  /** Sets a value for all members, or removes it. It stays when no member lives. */
  share(key: string, value: string | undefined): Promise<void>;
  /** Keeps data for all members under a name that is made of its content, and removes all other such data except `kept`. */
  saveContent(name: string, content: Uint8Array, kept: readonly string[]): Promise<void>;
  /** Undefined when there is none, or when it is incomplete. */
  loadContent(name: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export interface SavedShard {
  readonly epoch: number;
  readonly state: Uint8Array;
}
