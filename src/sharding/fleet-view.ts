import type { Claim, FleetChange, FleetListener, FleetSnapshot, Member } from './coordinator.ts';

/** What changed since the last report. */
export interface ViewChange {
  readonly members: boolean;
  readonly claims: boolean;
  /** Whether this is everything that the store has. */
  readonly isSnapshot: boolean;
  /** The keys of shared values. */
  readonly shared: readonly string[];
}

const nothing: ViewChange = { members: false, claims: false, isSnapshot: false, shared: [] };

/**
 * Members, claims and shared values as the store reports them. Of several reports about an entry the one with the highest
 * revision counts, so that late and repeated reports have no effect.
 */
export class FleetView implements FleetListener {
  readonly members = new Map<string, Member>();
  readonly claims = new Map<number, Claim>();
  readonly shared = new Map<string, string>();
  /** By shard: the epoch of the claim that ended last. */
  readonly endedEpochs = new Map<number, number>();
  /** False until the first snapshot. */
  isKnown = false;
  readonly #onChange: (change: ViewChange) => void;
  readonly onDoubt: () => void;
  /** The revision of each entry's last report, also of entries that were removed. */
  readonly #revisions = new Map<string, number>();
  #revision = 0;

  constructor(onChange: (change: ViewChange) => void, onDoubt: () => void = () => {}) {
    this.#onChange = onChange;
    this.onDoubt = onDoubt;
  }

  onSnapshot(snapshot: FleetSnapshot): void {
    const { revision } = snapshot;
    const isFirst = !this.isKnown;
    if (revision < this.#revision) return;
    this.#revision = revision;
    this.isKnown = true;
    const members = this.#replace(this.members, snapshot.members, 'member', revision);
    const before = new Map(this.claims);
    const claims = this.#replace(this.claims, snapshot.claims, 'claim', revision);
    for (const shard of claims) this.#noteEnd(shard, before.get(shard));
    const shared = this.#replace(this.shared, snapshot.shared, 'shared', revision);
    for (const [entry, known] of this.#revisions) if (known <= revision) this.#revisions.delete(entry);
    const [hasMembers, hasClaims] = [members.length > 0 || isFirst, claims.length > 0 || isFirst];
    this.#onChange({ members: hasMembers, claims: hasClaims, isSnapshot: true, shared });
  }

  onChange(change: FleetChange): void {
    switch (change.kind) {
      case 'member':
        if (this.#set(this.members, change.name, change.value, 'member', change.revision))
          this.#onChange({ ...nothing, members: true });
        return;
      case 'claim': {
        const before = this.claims.get(change.shard);
        if (!this.#set(this.claims, change.shard, change.value, 'claim', change.revision)) return;
        this.#noteEnd(change.shard, before);
        this.#onChange({ ...nothing, claims: true });
        return;
      }
      case 'shared':
        if (this.#set(this.shared, change.key, change.value, 'shared', change.revision))
          this.#onChange({ ...nothing, shared: [change.key] });
    }
  }

  /** Whether the store has another claim than the one with this epoch, or none. Reports may be older than the claim. */
  hasLost(shard: number, epoch: number): boolean {
    const claim = this.claims.get(shard);
    if (claim !== undefined) return claim.epoch > epoch;
    return Math.max(this.#revision, this.#revisions.get(`claim ${shard}`) ?? 0) > epoch;
  }

  /** Forgets everything: the next snapshot is of another store, whose revisions may be lower. */
  reset(): void {
    for (const entries of [this.members, this.claims, this.shared, this.endedEpochs]) entries.clear();
    this.#revisions.clear();
    this.#revision = 0;
    this.isKnown = false;
  }

  #noteEnd(shard: number, ended: Claim | undefined): void {
    if (ended !== undefined) this.endedEpochs.set(shard, ended.epoch);
  }

  #set<Key extends string | number, Value>(
    entries: Map<Key, Value>,
    key: Key,
    value: Value | undefined,
    kind: string,
    revision: number,
  ): boolean {
    const entry = `${kind} ${key}`;
    if (revision <= this.#revision || revision <= (this.#revisions.get(entry) ?? 0)) return false;
    this.#revisions.set(entry, revision);
    if (value === undefined) return entries.delete(key);
    entries.set(key, value);
    return true;
  }

  /** Returns the keys that changed. What is newer than the snapshot stays. */
  #replace<Key extends string | number, Value>(
    entries: Map<Key, Value>,
    fresh: ReadonlyMap<Key, Value>,
    kind: string,
    revision: number,
  ): Key[] {
    const changed: Key[] = [];
    const isNewer = (key: Key) => (this.#revisions.get(`${kind} ${key}`) ?? 0) > revision;
    for (const key of [...entries.keys()]) {
      if (fresh.has(key) || isNewer(key)) continue;
      entries.delete(key);
      changed.push(key);
    }
    for (const [key, value] of fresh) {
      if (isNewer(key) || JSON.stringify(entries.get(key)) === JSON.stringify(value)) continue;
      entries.set(key, value);
      changed.push(key);
    }
    return changed;
  }
}
