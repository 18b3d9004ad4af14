/** Packets per second for what may have no end. */
const packetsPerSecond = 100;
/** Packets that need not wait: the largest part of a recorded device takes 480. */
const firstBurst = 600;
const everyMs = 1_000 / packetsPerSecond;

/** How fast one device is asked for what may have no end. Parts that have ended do not count: the device has shown to bear them. */
export class PeerPace {
  #burst = firstBurst;
  /** When the next packet would be due at this pace alone. */
  #dueMs = Number.NEGATIVE_INFINITY;

  /** Counts a packet, and returns how many milliseconds it has to wait. */
  take(nowMs: number): number {
    const dueMs = Math.max(this.#dueMs, nowMs - this.#burst * everyMs);
    this.#dueMs = dueMs + everyMs;
    return Math.max(0, this.#dueMs - nowMs);
  }

  /** So many packets have read a part to its end. */
  giveBack(packets: number): void {
    this.#dueMs -= packets * everyMs;
    this.#burst = Math.max(this.#burst, packets);
  }
}
