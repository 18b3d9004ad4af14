import type { Clock } from '../timing/clock.ts';
import type { Coordinator, Member } from './coordinator.ts';
import { endClaim } from './end-claim.ts';
import { FleetReadiness } from './fleet-readiness.ts';
import { FleetView, type ViewChange } from './fleet-view.ts';
import { KnownFleet } from './known-fleet.ts';
import { LivingMembers } from './living-members.ts';
import { MemberLease } from './member-lease.ts';
import { NamedTimers } from './named-timers.ts';
import { limits, movesPerTurn, type OwnerListener, type OwnerSettings, phase } from './owner-settings.ts';
import { shardCount } from './shard.ts';
import { ShardParts } from './shard-parts.ts';
import type { FleetStatus, MemberRequests, ShardPart, Shards } from './shards.ts';
import { UsedStore } from './used-store.ts';

/**
 * Claims the shards that the hash gives this member, and gives the others away. Claims and the own lease alone count: what is known
 * of the other members only decides what is tried.
 */
export class ShardOwner implements Shards {
  readonly #settings: OwnerSettings;
  readonly #member: Member;
  readonly #coordinator: Coordinator;
  readonly #clock: Clock;
  readonly #listener: OwnerListener;
  readonly #lease: MemberLease;
  readonly #view: FleetView;
  readonly #members: LivingMembers;
  readonly #store = new UsedStore();
  readonly #readiness: FleetReadiness;
  readonly #parts: ShardParts;
  readonly #timers: NamedTimers;
  readonly #phases = new Uint8Array(shardCount);
  readonly #epochs = new Float64Array(shardCount);
  readonly #retryAtMs = new Float64Array(shardCount);
  /** Claimed shards whose state is not read yet. */
  readonly #opening = new Set<number>();
  /** Owned shards that are to be given away. */
  readonly #moving = new Set<number>();
  /** Owned shards without a claim, whose devices are asked further because of `keepsOnOutage`. */
  readonly #unclaimed = new Set<number>();
  /** Shards that were lost without a hand-over, and whose devices are still known here. */
  readonly #abandoned = new Set<number>();
  #claiming = 0;
  #isLeaving = false;
  #isClosed = false;
  /** The shards that were lost with the trust in the lease, and are owned again if it is renewed after all. */
  #fenced: ReadonlySet<number> | undefined = undefined;
  #degraded: string | undefined = undefined;
  #moves = 0;
  #nextSaved = 0;
  #endWatch: (() => void) | undefined;
  readonly fleet: KnownFleet;
  /** Added to the epochs that others see, so that those of a newer store are higher. */
  epochBase = 0;

  constructor(
    coordinator: Coordinator,
    settings: OwnerSettings,
    clock: Clock,
    listener: OwnerListener,
    requests?: MemberRequests,
  ) {
    this.#coordinator = coordinator;
    this.#settings = settings;
    this.#clock = clock;
    this.#listener = listener;
    this.#timers = new NamedTimers(clock);
    this.#view = new FleetView(this.#onView, () => this.#lease.checkNow());
    this.#members = new LivingMembers(settings.member, this.#view.members);
    this.#readiness = new FleetReadiness(settings, clock, this.#view.claims);
    this.#parts = new ShardParts((error) => listener.onProblem(error));
    this.#member = { ...settings.member, leaseMs: settings.leaseMs };
    this.#lease = new MemberLease(this.#member, {
      coordinator,
      clock,
      leaseMs: settings.leaseMs,
      mayUse: (identity) => this.#mayUse(identity),
      onJoined: (lease) => this.#onJoined(lease),
      onFenced: () => this.#onFenced(),
      onRenewed: () => this.#onRenewed(),
      onEnded: () => this.#onEnded(),
      onFailure: (error) => this.#onFailure(error),
      onNameTaken: () => {
        this.#degrade(`another process lives under the name ${settings.member.name}`);
        listener.onNameTaken();
      },
    });
    this.fleet = new KnownFleet(settings.member.name, this.#view, coordinator, {
      chosen: (shard) => this.#members.owners[shard],
      status: () => this.status(),
      requests,
      identity: () => this.#store.identity,
    });
  }

  get ownedShards(): readonly number[] {
    return this.maySend() ? [...this.#listPhase(phase.owned)] : [];
  }

  status(): FleetStatus {
    return {
      ownedShards: this.ownedShards.length,
      unownedShards: this.#readiness.unowned,
      leaseAgeMs: this.#lease.ageMs,
      moves: this.#moves,
      degraded: this.#degraded,
      notReady: this.#readiness.explain(this.ownedShards.length, this.#degraded),
    };
  }

  readonly maySend = (): boolean =>
    this.#lease.isSafe || (this.#settings.keepsOnOutage && this.#lease.isUnreachable);

  owns(shard: number): boolean {
    return this.#phases[shard] === phase.owned && this.maySend();
  }

  epochOf(shard: number): number | undefined {
    return this.#epochs[shard]! > 0 ? this.epochBase + this.#epochs[shard]! : undefined;
  }

  join(part: ShardPart): () => void {
    const owned = new Set(this.ownedShards);
    if (owned.size > 0) part.gain?.(owned, false);
    return this.#parts.add(part);
  }

  start(): void {
    this.#endWatch = this.#coordinator.watch(this.#view);
    this.#lease.start();
    this.#timers.repeat('moves', limits.moveEveryMs, () => this.#move());
    this.#timers.repeat('save', this.#settings.saveEveryMs / shardCount, () => this.#saveNext());
    this.#timers.repeat('retry', limits.retryMs, () => this.#step());
    this.#timers.repeat('look', limits.retryMs, () => this.#readiness.look());
  }

  async leave(): Promise<void> {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const untilMs = this.#clock.now() + this.#settings.leaveWithinMs;
    // The others claim what is released; this must not hold up the release.
    this.#lease.announce({ ...this.#member, weight: 0 }).catch(() => {});
    if (!this.#lease.isSafe) return;
    this.#step();
    const isBusy = () => this.#phases.some((each) => each !== phase.free);
    while (this.#lease.isSafe && this.#clock.now() < untilMs && isBusy())
      await new Promise<void>((resolve) => void this.#clock.setTimer(resolve, limits.gatherMs));
  }

  /** Ends the lease, and with it every claim that `leave` has not given away. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timers.close();
    this.#endWatch?.();
    this.#phases.fill(phase.free);
    await this.#lease.stop();
    await this.#coordinator.close();
  }

  async #mayUse(identity: string): Promise<boolean> {
    // The revisions and epochs of another store may be lower.
    const reset = () => this.#view.reset();
    const verdict = await this.#store.judge(identity, this.#members.peers, this.#listener, reset);
    if (verdict !== true) this.#degrade(verdict);
    else if (this.#view.isKnown) this.fleet.reportSnapshot();
    return verdict === true;
  }

  #onJoined(lease: string): void {
    this.#degrade(undefined);
    for (const shard of this.#unclaimed) void this.#reclaim(shard, lease);
    this.#step();
  }

  #onFenced(): void {
    this.#degrade('the lease was not renewed in time');
    if (this.#settings.keepsOnOutage) return;
    this.#fenced = this.#listPhase(phase.owned);
    this.#lose(this.#fenced, 'the lease was not renewed in time');
  }

  /** The claims are still those of this member: nobody else has asked the devices meanwhile. */
  #onRenewed(): void {
    this.#degrade(undefined);
    const fenced = this.#fenced;
    if (fenced !== undefined) {
      this.#fenced = undefined;
      this.#gain(fenced, true);
      this.#gain(new Set([...this.#listPhase(phase.owned)].filter((shard) => !fenced.has(shard))));
    }
    this.#step();
  }

  #onEnded(): void {
    this.#degrade('the lease has ended');
    for (const shard of this.#opening) this.#phases[shard] = phase.free;
    this.#opening.clear();
    if (this.#settings.keepsOnOutage) {
      for (const shard of this.#listPhase(phase.owned)) this.#unclaimed.add(shard);
    } else this.#drop(this.#listPhase(phase.owned), 'the lease has ended');
    this.#fenced = undefined;
  }

  #announce(): void {
    if (this.#isLeaving || this.#members.isListed()) return;
    this.#lease.announce(this.#member).catch((error) => this.#onFailure(error));
  }

  readonly #onFailure = (error: unknown): void => {
    if (error === undefined || this.#lease.isSafe) return;
    this.#listener.onProblem(error);
    this.#degrade('the store cannot be reached');
  };

  #degrade(why: string | undefined): void {
    if (why === this.#degraded) return;
    this.#degraded = why;
    this.#listener.onDegraded(why);
  }

  readonly #onView = ({ members, shared, isSnapshot }: ViewChange): void => {
    if (members) {
      const { joined, left } = this.#members.update();
      if (joined.length + left.length > 0) this.#listener.onMembers(joined, left);
    }
    this.fleet.report(shared, isSnapshot);
    this.#timers.once('step', 0, () => this.#step());
  };

  /** Compares each shard with what the hash and the store say about it. */
  #step(): void {
    const lease = this.#lease.current;
    if (lease === undefined || !this.#lease.isSafe || !this.#view.isKnown || this.#isClosed) return;
    const { name } = this.#settings.member;
    if (!this.#members.isListed()) this.#timers.once('announce', limits.retryMs, () => this.#announce());
    const [nowMs, gone, taken] = [this.#clock.now(), new Set<number>(), new Set<number>()];
    for (let shard = 0; shard < shardCount; shard++) {
      const isWanted = !this.#isLeaving && this.#members.owners[shard] === name;
      const claim = this.#view.claims.get(shard);
      if (claim !== undefined && claim.member !== name && this.#abandoned.delete(shard)) taken.add(shard);
      if (this.#phases[shard] === phase.owned) {
        if (this.#unclaimed.has(shard)) continue;
        if (this.#view.hasLost(shard, this.#epochs[shard]!)) gone.add(shard);
        else if (isWanted || (this.#members.owners[shard] === undefined && !this.#isLeaving))
          this.#moving.delete(shard);
        else this.#moving.add(shard);
      } else if (this.#phases[shard] === phase.free && this.#retryAtMs[shard]! <= nowMs) {
        const isOurs = claim?.lease === lease;
        if (isWanted && (claim === undefined || isOurs)) {
          if (this.#claiming < limits.maxClaiming) void this.#claim(shard, lease);
        } else if (isOurs && claim.epoch !== this.#epochs[shard])
          void this.#giveBack(shard, claim.epoch, lease);
      }
    }
    if (taken.size > 0) this.#parts.forget(taken);
    if (gone.size > 0) this.#drop(gone, 'their claims were removed from the store');
  }

  /** Ends a claim whose reply was lost, after the hash has given the shard to another member. */
  async #giveBack(shard: number, epoch: number, lease: string): Promise<void> {
    this.#phases[shard] = phase.closing;
    await this.#endClaim(shard, epoch, lease);
    this.#retryAtMs[shard] = this.#clock.now() + limits.retryMs;
  }

  async #claim(shard: number, lease: string): Promise<void> {
    this.#phases[shard] = phase.claiming;
    this.#claiming++;
    let epoch: number | undefined;
    try {
      epoch = await this.#coordinator.claim(lease, this.#settings.member.name, shard);
    } catch (error) {
      this.#onFailure(error);
    }
    this.#claiming--;
    if (this.#phases[shard] !== phase.claiming) return;
    this.#phases[shard] = phase.free;
    if (lease !== this.#lease.current || this.#isClosed) return;
    if (epoch === undefined) {
      this.#retryAtMs[shard] = this.#clock.now() + limits.retryMs;
      return;
    }
    this.#phases[shard] = phase.opening;
    this.#parts.noteClaim(shard, this.#epochs[shard]!);
    this.#epochs[shard] = epoch;
    this.#opening.add(shard);
    this.#timers.once('open', limits.gatherMs, () => void this.#open(lease));
    if (this.#claiming < limits.maxClaiming / 2) this.#timers.once('step', 0, () => this.#step());
  }

  /** Reads the states of the shards that were claimed, and begins to work for their devices. */
  async #open(lease: string): Promise<void> {
    const shards = [...this.#opening];
    this.#opening.clear();
    const states = await Promise.all(
      shards.map((shard) =>
        this.#coordinator.loadState(shard).catch((error) => this.#listener.onProblem(error)),
      ),
    );
    const gained = new Set<number>();
    for (const [i, shard] of shards.entries()) {
      if (this.#phases[shard] !== phase.opening) continue;
      if (lease !== this.#lease.current) {
        this.#phases[shard] = phase.free;
        continue;
      }
      this.#phases[shard] = phase.owned;
      this.#abandoned.delete(shard);
      this.#parts.restore(shard, states[i] ?? undefined, this.#view.endedEpochs.get(shard));
      gained.add(shard);
    }
    if (this.#isClosed) return;
    // While fenced, the shards count as owned, and work begins when the lease is renewed.
    if (this.#fenced === undefined) this.#gain(gained);
    this.#step();
  }

  #gain(shards: ReadonlySet<number>, isAgain = false): void {
    if (shards.size === 0) return;
    this.#parts.gain(shards, isAgain);
    this.#listener.onGained(shards.size);
  }

  /** After an outage that this member has ignored: the first to claim a shard has it. */
  async #reclaim(shard: number, lease: string): Promise<void> {
    try {
      const epoch = await this.#coordinator.claim(lease, this.#settings.member.name, shard);
      if (lease !== this.#lease.current || !this.#unclaimed.delete(shard)) return;
      if (epoch === undefined) this.#drop(new Set([shard]), 'another member took them over');
      else this.#epochs[shard] = epoch;
    } catch (error) {
      this.#onFailure(error);
      if (lease === this.#lease.current)
        this.#timers.once(`reclaim ${shard}`, limits.retryMs, () => void this.#reclaim(shard, lease));
    }
  }

  #drop(shards: ReadonlySet<number>, why: string): void {
    for (const shard of shards) {
      this.#phases[shard] = phase.free;
      this.#moving.delete(shard);
      this.#unclaimed.delete(shard);
      this.#abandoned.add(shard);
    }
    if (this.#fenced === undefined) this.#lose(shards, why);
    this.#timers.once('step', 0, () => this.#step());
  }

  #lose(shards: ReadonlySet<number>, why: string): void {
    if (shards.size === 0) return;
    const ownedUntilMs = Math.min(this.#lease.safeUntilMs, this.#clock.now());
    void this.#parts.lose(shards, this.#settings.keepsOnOutage ? undefined : ownedUntilMs);
    this.#listener.onLost(shards.size, why);
  }

  #move(): void {
    const lease = this.#lease.current;
    if (this.#moving.size === 0 || lease === undefined || !this.#lease.isSafe) return;
    const batch = new Set([...this.#moving].slice(0, movesPerTurn(this.#settings, this.#isLeaving)));
    for (const shard of batch) {
      this.#moving.delete(shard);
      this.#phases[shard] = phase.closing;
    }
    void this.#release(batch, lease);
  }

  /** The claim ends after everything else: from then on another member asks the devices. */
  async #release(shards: ReadonlySet<number>, lease: string): Promise<void> {
    await this.#parts.lose(shards);
    await Promise.all(Array.from(shards, (shard) => this.#releaseOne(shard, lease)));
    this.#moves += shards.size;
    this.#parts.forget(shards);
    this.#listener.onLost(shards.size, 'other members own them now');
    this.#step();
  }

  async #releaseOne(shard: number, lease: string): Promise<void> {
    const epoch = this.#epochs[shard]!;
    await this.#parts.save(shard, epoch, this.#coordinator);
    await this.#endClaim(shard, epoch, lease);
  }

  async #endClaim(shard: number, epoch: number, lease: string): Promise<void> {
    const [clock, isOurs] = [this.#clock, () => lease === this.#lease.current];
    await endClaim(this.#coordinator, { shard, epoch }, { clock, isOurs, onFailure: this.#onFailure });
    if (this.#phases[shard] === phase.closing) this.#phases[shard] = phase.free;
  }

  /** For an heir in case this member dies. */
  #saveNext(): void {
    const shard = this.#nextSaved++ % shardCount;
    if (this.owns(shard) && !this.#unclaimed.has(shard))
      void this.#parts.save(shard, this.#epochs[shard]!, this.#coordinator);
  }

  #listPhase(wanted: number): Set<number> {
    return new Set([...this.#phases.keys()].filter((shard) => this.#phases[shard] === wanted));
  }
}
