/** RFC 3414 §2.2.3. */
const timeWindowSeconds = 150;
/** When boots reach this maximum, no message of the engine is timely any more: it needs a new engine ID or new keys. */
const lastBoots = 0x7fffffff;

/** Our notion of an authoritative engine's boots and time (RFC 3414 §2.3). `nowMs` is monotonic. */
export class EngineClock {
  #boots = 0;
  #zeroAtMs = 0;
  #latestTime = 0;
  #shownAtMs: number | undefined;

  constructor(boots: number, time: number, nowMs: number) {
    this.set(boots, time, nowMs);
  }

  get boots(): number {
    return this.#boots;
  }

  /** When the engine's time was zero; this may be before our own clock started. */
  get zeroAtMs(): number {
    return this.#zeroAtMs;
  }

  /** The latest time of its messages (RFC 3414 §2.3): an older one never sets the clock. */
  get latestTime(): number {
    return this.#latestTime;
  }

  /** When a timely signed message came last; undefined for a clock that is only remembered. */
  get shownAtMs(): number | undefined {
    return this.#shownAtMs;
  }

  /** Our notion of the engine's time, in seconds. */
  timeAt(nowMs: number): number {
    return Math.min(lastBoots, Math.max(0, Math.floor((nowMs - this.#zeroAtMs) / 1000)));
  }

  set(boots: number, time: number, nowMs: number): void {
    this.#boots = boots;
    this.#latestTime = time;
    this.#zeroAtMs = nowMs - time * 1000;
  }

  /** Takes over all that another clock of the same engine knows. */
  copy(other: EngineClock): void {
    this.#boots = other.#boots;
    this.#zeroAtMs = other.#zeroAtMs;
    this.#latestTime = other.#latestTime;
    this.#shownAtMs = other.#shownAtMs;
  }

  /** What was known before a restart: it may have been heard longer ago than its time is now. */
  restore(latestTime: number, shownAtMs: number | undefined): void {
    this.#latestTime = latestTime;
    this.#shownAtMs = shownAtMs;
  }

  /** Whether a message of this boots and time is within the window. It never sets the clock. */
  isNear(boots: number, time: number, nowMs: number): boolean {
    return boots === this.#boots && Math.abs(time - this.timeAt(nowMs)) <= timeWindowSeconds;
  }

  /**
   * Whether an authenticated message is timely (RFC 3414 §3.2 step 7b). A message that is newer than all before sets the
   * clock; one with older boots or an older time never turns it back.
   */
  admit(boots: number, time: number, nowMs: number): boolean {
    if (boots > this.#boots || (boots === this.#boots && time > this.#latestTime)) {
      this.set(boots, time, nowMs);
    }
    if (this.#boots === lastBoots || boots !== this.#boots) return false;
    if (time < this.timeAt(nowMs) - timeWindowSeconds) return false;
    this.#shownAtMs = nowMs;
    return true;
  }
}

/** An engine that has proved with a key that it answers at `address`. */
export interface EngineRecord {
  /** The name of the target, such as `192.0.2.1:161`. */
  readonly address: string;
  readonly engineId: Buffer;
  readonly clock: EngineClock;
  /** How often its boots went down, and how often its time did while the boots stayed. */
  bootsDecreases: number;
  timeDecreases: number;
}
