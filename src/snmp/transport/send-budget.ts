const windowSeconds = 10;

export interface SendLimits {
  /** Datagrams a second, all devices together. */
  readonly packetsPerSecond: number;
  /** Requests that wait for a reply, all devices together. */
  readonly maxInFlight: number;
  /** The share of retransmissions in the sends of the last ten seconds. */
  readonly retryShare: number;
  /** Retransmissions that are always allowed in ten seconds: a share of few sends would be none. */
  readonly retryFloor: number;
}

/** Decides whether a datagram may leave now. */
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

  /** Takes the right to send one datagram, if there is one. Bursts reach a tenth of a second's worth. */
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

  /** Takes the right to send one datagram again. */
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
