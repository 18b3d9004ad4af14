import type { Claim, Coordinator, Member } from './coordinator.ts';
import type { FleetView } from './fleet-view.ts';
import type { Fleet, FleetStatus, MemberRequests } from './shards.ts';

interface FleetParts {
  /** The member that should own a shard. */
  readonly chosen: (shard: number) => string | undefined;
  readonly status: () => FleetStatus;
  readonly requests: MemberRequests | undefined;
  readonly identity: () => string | undefined;
}

/** The fleet as one member knows it. */
export class KnownFleet implements Fleet {
  readonly name: string;
  readonly members: ReadonlyMap<string, Member>;
  readonly claims: ReadonlyMap<number, Claim>;
  readonly shared: ReadonlyMap<string, string>;
  readonly #coordinator: Coordinator;
  readonly requests: MemberRequests | undefined;
  readonly #parts: FleetParts;
  readonly #snapshotListeners = new Set<() => void>();
  readonly #listeners = new Map<(key: string, value: string | undefined) => void, string>();

  constructor(name: string, view: FleetView, coordinator: Coordinator, parts: FleetParts) {
    this.name = name;
    this.members = view.members;
    this.claims = view.claims;
    this.shared = view.shared;
    this.#coordinator = coordinator;
    this.requests = parts.requests;
    this.#parts = parts;
  }

  ownerOf(shard: number): string | undefined {
    return this.claims.get(shard)?.member ?? this.#parts.chosen(shard);
  }

  status(): FleetStatus {
    return this.#parts.status();
  }

  get identity(): string | undefined {
    return this.#parts.identity();
  }

  onSnapshot(listener: () => void): () => void {
    this.#snapshotListeners.add(listener);
    return () => this.#snapshotListeners.delete(listener);
  }

  reportSnapshot(): void {
    if (this.identity !== undefined) for (const listener of this.#snapshotListeners) listener();
  }

  share(key: string, value: string | undefined): Promise<void> {
    return this.#coordinator.share(key, value);
  }

  saveContent(name: string, content: Uint8Array, kept: readonly string[]): Promise<void> {
    return this.#coordinator.saveContent(name, content, kept);
  }

  loadContent(name: string): Promise<Uint8Array | undefined> {
    return this.#coordinator.loadContent(name);
  }

  onShared(prefix: string, listener: (key: string, value: string | undefined) => void): () => void {
    this.#listeners.set(listener, prefix);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listeners of shared values that changed. */
  report(keys: readonly string[], isSnapshot: boolean): void {
    for (const key of keys)
      for (const [listener, prefix] of this.#listeners)
        if (key.startsWith(prefix)) listener(key, this.shared.get(key));
    if (isSnapshot) this.reportSnapshot();
  }
}
