import { randomUUID } from 'node:crypto';
import type { Clock } from '../timing/clock.ts';
import type {
  Claim,
  Coordinator,
  FleetChange,
  FleetListener,
  FleetSnapshot,
  Member,
  SavedShard,
} from './coordinator.ts';

/** A store of members in one process, for workers and tests. Each of them uses `connect`. */
export class MemoryStore {
  readonly #clock: Clock;
  readonly #identity: string;
  readonly #leases = new Map<string, { readonly ttlMs: number; timer: unknown }>();
  readonly #members = new Map<string, { readonly lease: string; readonly member: Member }>();
  readonly #claims = new Map<number, Claim>();
  readonly #shared = new Map<string, string>();
  readonly #contents = new Map<string, Uint8Array>();
  readonly #states = new Map<number, SavedShard>();
  readonly #listeners = new Set<FleetListener>();
  #revision: number;

  constructor(clock: Clock, identity: string = randomUUID()) {
    this.#clock = clock;
    this.#identity = identity;
    // Outputs compare epochs: those of a later process are higher.
    this.#revision = Math.round(clock.wallNow());
  }

  connect(): Coordinator {
    const closers = new Set<() => void>();
    return {
      identify: async () => this.#identity,
      grantLease: async (leaseMs) => this.#grant(leaseMs),
      renewLease: async (lease) => this.#renew(lease),
      revokeLease: async (lease) => this.end(lease),
      register: async (lease, member) => this.#register(lease, member),
      claim: async (lease, member, shard) => this.#claim(lease, member, shard),
      release: async (shard, epoch) => {
        if (this.#claims.get(shard)?.epoch === epoch) this.#removeClaim(shard);
      },
      watch: (listener) => {
        this.#listeners.add(listener);
        listener.onSnapshot(this.snapshot());
        const close = () => this.#listeners.delete(listener);
        closers.add(close);
        return close;
      },
      saveState: async (shard, epoch, state) => {
        if (this.#claims.get(shard)?.epoch !== epoch) return false;
        this.#states.set(shard, { epoch, state });
        return true;
      },
      loadState: async (shard) => this.#states.get(shard),
      share: async (key, value) => this.#share(key, value),
      saveContent: async (name, content, kept) => {
        for (const other of this.#contents.keys()) if (!kept.includes(other)) this.#contents.delete(other);
        this.#contents.set(name, content);
      },
      loadContent: async (name) => this.#contents.get(name),
      close: async () => {
        for (const close of closers) close();
      },
    };
  }

  snapshot(): FleetSnapshot {
    return {
      revision: this.#revision,
      members: new Map(Array.from(this.#members, ([name, { member }]) => [name, member])),
      claims: new Map(this.#claims),
      shared: new Map(this.#shared),
    };
  }

  /** Ends a lease, as when its time is over. */
  end(lease: string): void {
    const known = this.#leases.get(lease);
    if (known === undefined) return;
    this.#clock.clearTimer(known.timer);
    this.#leases.delete(lease);
    for (const [name, entry] of this.#members) {
      if (entry.lease !== lease) continue;
      this.#members.delete(name);
      this.#report({ kind: 'member', name, value: undefined });
    }
    for (const [shard, claim] of [...this.#claims]) if (claim.lease === lease) this.#removeClaim(shard);
  }

  /** Ends the timers of all leases. */
  close(): void {
    for (const { timer } of this.#leases.values()) this.#clock.clearTimer(timer);
    this.#listeners.clear();
  }

  #grant(ttlMs: number): string {
    const lease = randomUUID();
    this.#leases.set(lease, { ttlMs, timer: this.#clock.setTimer(() => this.end(lease), ttlMs) });
    return lease;
  }

  #renew(lease: string): boolean {
    const known = this.#leases.get(lease);
    if (known === undefined) return false;
    this.#clock.clearTimer(known.timer);
    known.timer = this.#clock.setTimer(() => this.end(lease), known.ttlMs);
    return true;
  }

  #register(lease: string, member: Member): boolean {
    if (!this.#leases.has(lease)) throw new Error('the lease has ended');
    const known = this.#members.get(member.name);
    if (known !== undefined && known.lease !== lease) return false;
    this.#members.set(member.name, { lease, member });
    this.#report({ kind: 'member', name: member.name, value: member });
    return true;
  }

  #claim(lease: string, member: string, shard: number): number | undefined {
    if (!this.#leases.has(lease)) throw new Error('the lease has ended');
    const known = this.#claims.get(shard);
    if (known !== undefined) return known.lease === lease ? known.epoch : undefined;
    const claim = { member, lease, epoch: this.#revision + 1 };
    this.#claims.set(shard, claim);
    this.#report({ kind: 'claim', shard, value: claim });
    return claim.epoch;
  }

  #removeClaim(shard: number): void {
    this.#claims.delete(shard);
    this.#report({ kind: 'claim', shard, value: undefined });
  }

  #share(key: string, value: string | undefined): void {
    if (value === undefined) this.#shared.delete(key);
    else this.#shared.set(key, value);
    this.#report({ kind: 'shared', key, value });
  }

  #report(
    change: FleetChange extends infer Each
      ? Each extends FleetChange
        ? Omit<Each, 'revision'>
        : never
      : never,
  ): void {
    const revision = ++this.#revision;
    for (const listener of this.#listeners) listener.onChange({ ...change, revision } as FleetChange);
  }
}
