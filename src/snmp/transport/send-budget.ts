const windowSeconds = 10;

export interface SendLimits {
  /** Datagrams per second to all devices. */
  readonly packetsPerSecond: number;
  /** Outstanding requests to all devices. */
  readonly maxInFlight: number;
  /** The largest share of retransmissions among the datagrams of the last ten seconds. */
  readonly retryShare: number;
  /** Retransmissions that are always allowed within ten seconds: a share of few datagrams would be zero. */
  readonly retryFloor: number;
}

/** Decides whether a datagram may be sent now. */
export class SendBudget {
  readonly limits: SendLimits;
  readonly #sends = new Float64Array(windowSeconds);
  readonly #retries = new Float64Array(windowSeconds);
  #second = 0;
  #tokens: number;
  #refilledMs = 0;

  constructor(limits: SendLimits) {
    this.limits = limits;
    this.#tokens = limits.packetsPerSecond / 10;
  }

  /** Whether one datagram may be sent now; counts it. Bursts are limited to a tenth of a second's datagrams. */
  take(nowMs: number): boolean {
    const { packetsPerSecond } = this.limits;
    if (this.#tokens < 1 || nowMs - this.#refilledMs > 100) {
      const earned = ((nowMs - this.#refilledMs) * packetsPerSecond) / 1000;
      this.#tokens = Math.min(this.#tokens + earned, Math.max(1, packetsPerSecond / 10));
      this.#refilledMs = nowMs;
      if (this.#tokens < 1) return false;
    }
    this.#tokens--;
    this.#turn(nowMs);
    this.#sends[this.#second % windowSeconds]!++;
    return true;
  }

  /** Whether one datagram may be sent again now; counts it. */
  takeRetry(nowMs: number): boolean {
    this.#turn(nowMs);
    const retries = sum(this.#retries) + 1;
    if (retries > this.limits.retryFloor && retries > sum(this.#sends) * this.limits.retryShare) return false;
    if (!this.take(nowMs)) return false;
    this.#retries[this.#second % windowSeconds]!++;
    return true;
  }

  #turn(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === this.#second) return;
    const stale = Math.min(second - this.#second, windowSeconds);
    for (let i = 0; i < stale; i++) {
      this.#sends[(second - i) % windowSeconds] = 0;
      this.#retries[(second - i) % windowSeconds] = 0;
    }
    this.#second = second;
  }
}

function sum(seconds: Float64Array): number {
  let total = 0;
  for (let i = 0; i < seconds.length; i++) total += seconds[i]!;
  return total;
}
