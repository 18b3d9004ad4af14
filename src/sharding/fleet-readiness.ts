import type { Clock } from '../timing/clock.ts';
import type { OwnerSettings } from './owner-settings.ts';
import { shardCount } from './shard.ts';

/** Moves and the takeover after a death end well before the lease and this. */
const patienceMs = 10_000;

/** Says why devices that should be polled are not. */
export class FleetReadiness {
  readonly #settings: OwnerSettings;
  readonly #clock: Clock;
  readonly #claims: ReadonlyMap<number, unknown>;
  /** Before all shards had owners for the first time, nobody waits for them. */
  #wholeMs = Number.NEGATIVE_INFINITY;

  /** `claims` changes with the reports of the store. */
  constructor(settings: OwnerSettings, clock: Clock, claims: ReadonlyMap<number, unknown>) {
    this.#settings = settings;
    this.#clock = clock;
    this.#claims = claims;
  }

  /** Shards that no member owns. */
  get unowned(): number {
    return shardCount - this.#claims.size;
  }

  /** Called every second. */
  look(): void {
    if (this.unowned === 0) this.#wholeMs = this.#clock.now();
  }

  /** Undefined while everything is polled, and while shards move. */
  explain(owned: number, degraded: string | undefined): string | undefined {
    const why = degraded === undefined ? '' : `: ${degraded}`;
    if (owned === 0 && this.#settings.member.weight > 0) return `this member owns no devices${why}`;
    const waited = this.#clock.now() - this.#wholeMs;
    if (this.unowned === 0 || waited < this.#settings.leaseMs + patienceMs) return undefined;
    return `nobody asks the devices of ${this.unowned} of ${shardCount} shards`;
  }
}
