import type { Claim, Coordinator, Member } from './coordinator.ts';
import type { FleetView } from './fleet-view.ts';
import type { Fleet } from './shards.ts';

/** The fleet as one member knows it. */
export class KnownFleet implements Fleet {
  readonly name: string;
  readonly members: ReadonlyMap<string, Member>;
  readonly claims: ReadonlyMap<number, Claim>;
  readonly shared: ReadonlyMap<string, string>;
  readonly #coordinator: Coordinator;
  readonly #chosen: (shard: number) => string | undefined;
  readonly #listeners = new Map<(key: string, value: string | undefined) => void, string>();

  constructor(
    name: string,
    view: FleetView,
    coordinator: Coordinator,
    chosen: (shard: number) => string | undefined,
  ) {
    this.name = name;
    this.members = view.members;
    this.claims = view.claims;
    this.shared = view.shared;
    this.#coordinator = coordinator;
    this.#chosen = chosen;
  }

  ownerOf(shard: number): string | undefined {
    return this.claims.get(shard)?.member ?? this.#chosen(shard);
  }

  share(key: string, value: string | undefined): Promise<void> {
    return this.#coordinator.share(key, value);
  }

  onShared(prefix: string, listener: (key: string, value: string | undefined) => void): () => void {
    this.#listeners.set(listener, prefix);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listeners of a shared value that changed. */
  report(key: string): void {
    for (const [listener, prefix] of this.#listeners)
      if (key.startsWith(prefix)) listener(key, this.shared.get(key));
  }
}
