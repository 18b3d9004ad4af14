import type { Clock } from '../timing/clock.ts';
import type { Coordinator, Member } from './coordinator.ts';

export interface LeaseParts {
  readonly coordinator: Coordinator;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Called before each new lease. Resolves to false when this store must not be used. */
  mayUse(identity: string): Promise<boolean>;
  /** The member is registered under this lease. */
  onJoined(lease: string): void;
  /** The lease may have ended: it was not renewed in time. */
  onFenced(): void;
  /** The lease was renewed after all. */
  onRenewed(): void;
  /** The lease has ended, and with it the member and all its claims. */
  onEnded(): void;
  /** A request failed; undefined when one succeeded again. */
  onFailure(error: unknown): void;
  /** Another process lives under the same name. */
  onNameTaken(): void;
}

/** The share of a lease that is left for clocks that run at slightly different speeds, and for packets under way. */
const marginShare = 0.1;
const retryMs = 1_000;

/** Keeps a member's lease alive, and knows by the monotonic clock when it may have ended. */
export class MemberLease {
  readonly #parts: LeaseParts;
  #member: Member;
  #lease: string | undefined = undefined;
  #isJoined = false;
  #isFenced = false;
  #isStopped = false;
  #renewedMs = Number.NEGATIVE_INFINITY;
  #failedMs = Number.NEGATIVE_INFINITY;
  #timer: unknown = undefined;
  #fence: unknown = undefined;

  constructor(member: Member, parts: LeaseParts) {
    this.#member = member;
    this.#parts = parts;
  }

  /** The lease under which the member is registered; undefined without one. */
  get current(): string | undefined {
    return this.#isJoined ? this.#lease : undefined;
  }

  /** Whether the lease exists for certain. */
  get isSafe(): boolean {
    return this.#isJoined && this.#parts.clock.now() < this.safeUntilMs;
  }

  /** Whether a request to the store failed just now. False after a pause of the process, because nothing is known then. */
  get isUnreachable(): boolean {
    return this.#parts.clock.now() < this.#failedMs + this.#parts.leaseMs;
  }

  /** Time since the last acknowledged renewal was sent; undefined before the first. */
  get ageMs(): number | undefined {
    return this.#renewedMs === Number.NEGATIVE_INFINITY
      ? undefined
      : this.#parts.clock.now() - this.#renewedMs;
  }

  /** Until then the lease exists for certain. */
  get safeUntilMs(): number {
    return this.#renewedMs + this.#parts.leaseMs * (1 - marginShare);
  }

  start(): void {
    void this.#run();
  }

  /** Renews the lease now, and not at its next turn. */
  checkNow(): void {
    if (this.#timer === undefined || !this.#isJoined || this.#isStopped) return;
    this.#parts.clock.clearTimer(this.#timer);
    void this.#run();
  }

  /** Replaces what the others know of the member. */
  async announce(member: Member): Promise<void> {
    this.#member = member;
    if (this.#lease !== undefined) await this.#parts.coordinator.register(this.#lease, member);
  }

  /** Ends the lease. Never rejects. */
  async stop(): Promise<void> {
    const { clock, coordinator, leaseMs } = this.#parts;
    this.#isStopped = true;
    clock.clearTimer(this.#timer);
    clock.clearTimer(this.#fence);
    const lease = this.#lease;
    this.#lease = undefined;
    this.#isJoined = false;
    if (lease !== undefined) await this.#within(coordinator.revokeLease(lease), leaseMs / 3).catch(() => {});
  }

  async #run(): Promise<void> {
    const { leaseMs } = this.#parts;
    this.#timer = undefined;
    let pauseMs = leaseMs / 3;
    try {
      if (this.#isJoined) await this.#renew();
      else if (!(await this.#join())) pauseMs = Math.min(retryMs, pauseMs);
      // A lease that has ended is replaced at once.
      if (!this.#isJoined) pauseMs = Math.min(retryMs, pauseMs);
    } catch (error) {
      this.#failedMs = this.#parts.clock.now();
      if (!this.#isStopped) this.#parts.onFailure(error);
      pauseMs = Math.min(retryMs, pauseMs);
    }
    if (!this.#isStopped) this.#timer = this.#parts.clock.setTimer(() => void this.#run(), pauseMs);
  }

  async #join(): Promise<boolean> {
    const { coordinator, clock, leaseMs } = this.#parts;
    const identity = await this.#within(coordinator.identify(), leaseMs / 3);
    if (this.#isStopped || !(await this.#parts.mayUse(identity)) || this.#isStopped) return false;
    if (this.#lease === undefined) {
      const sentMs = clock.now();
      const granted = await this.#within(coordinator.grantLease(leaseMs), leaseMs / 3);
      if (this.#isStopped) {
        await coordinator.revokeLease(granted).catch(() => {});
        return false;
      }
      this.#lease = granted;
      this.#renewedMs = sentMs;
    } else if (!(await this.#sendRenewal())) {
      this.#lease = undefined;
      return false;
    }
    const lease = this.#lease;
    const isRegistered = await this.#within(coordinator.register(lease, this.#member), leaseMs / 3);
    if (this.#isStopped) return false;
    this.#parts.onFailure(undefined);
    if (!isRegistered) {
      this.#parts.onNameTaken();
      return false;
    }
    this.#isJoined = true;
    this.#isFenced = false;
    this.#watchFence();
    this.#parts.onJoined(lease);
    return true;
  }

  async #renew(): Promise<void> {
    const isAlive = await this.#sendRenewal();
    if (this.#isStopped) return;
    this.#parts.onFailure(undefined);
    if (!isAlive) {
      this.#isJoined = false;
      this.#lease = undefined;
      this.#parts.clock.clearTimer(this.#fence);
      this.#parts.onEnded();
      return;
    }
    const wasFenced = this.#isFenced;
    this.#isFenced = false;
    this.#watchFence();
    if (wasFenced && this.isSafe) this.#parts.onRenewed();
    else if (wasFenced) this.#isFenced = true;
  }

  /** The lease is counted from the moment when the request was sent: the store renews it at some moment after that. */
  async #sendRenewal(): Promise<boolean> {
    const { coordinator, clock, leaseMs } = this.#parts;
    const sentMs = clock.now();
    const isAlive = await this.#within(coordinator.renewLease(this.#lease!), leaseMs / 3);
    if (isAlive) this.#renewedMs = Math.max(this.#renewedMs, sentMs);
    return isAlive;
  }

  #watchFence(): void {
    const { clock } = this.#parts;
    clock.clearTimer(this.#fence);
    this.#fence = clock.setTimer(
      () => {
        if (this.#isStopped || !this.#isJoined || this.#isFenced) return;
        if (this.isSafe) {
          this.#watchFence();
          return;
        }
        this.#isFenced = true;
        this.#parts.onFenced();
      },
      Math.max(0, this.safeUntilMs - clock.now()),
    );
  }

  #within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
    const { clock } = this.#parts;
    return new Promise((resolve, reject) => {
      const timer = clock.setTimer(() => reject(new Error('the store did not answer in time')), ms);
      promise.then(
        (value) => {
          clock.clearTimer(timer);
          resolve(value);
        },
        (error) => {
          clock.clearTimer(timer);
          reject(error);
        },
      );
    });
  }
}
