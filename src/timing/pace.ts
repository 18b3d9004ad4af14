/** Time, as a parameter. */
export interface PaceTools {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  wait(ms: number, signal?: AbortSignal): Promise<unknown>;
}

/** A timer is late by some milliseconds now and then: by default a pace catches up on this much, and no more. */
const maxBehindMs = 20;

/** Allows packets to be sent at even intervals, in the order of asking, however many callers wait. */
export class SendPace {
  readonly #everyMs: number;
  readonly #tools: PaceTools;
  readonly #maxBehindMs: number;
  /** Packets that callers wait with. */
  #waiting = 0;
  #nextMs = Number.NEGATIVE_INFINITY;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(everyMs: number, tools: PaceTools, behindMs = maxBehindMs) {
    this.#everyMs = everyMs;
    this.#tools = tools;
    this.#maxBehindMs = behindMs;
  }

  /** How long a caller would wait now. */
  get waitMs(): number {
    return Math.max(0, this.#nextMs - this.#tools.now()) + this.#waiting * this.#everyMs;
  }

  /** Resolves when one packet may be sent, or so many together; rejects when the signal aborts before. */
  take(signal?: AbortSignal, packets = 1): Promise<void> {
    this.#waiting += packets;
    const turn = this.#turn
      .then(() => this.#waitForSlot(signal, packets))
      .finally(() => {
        this.#waiting -= packets;
      });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Counts packets that were sent without `take`: later callers wait longer. A negative number gives turns back. */
  charge(packets: number): void {
    this.#nextMs += packets * this.#everyMs;
  }

  async #waitForSlot(signal: AbortSignal | undefined, packets: number): Promise<void> {
    signal?.throwIfAborted();
    for (;;) {
      const pauseMs = this.#nextMs - this.#tools.now();
      if (pauseMs <= 0) break;
      await this.#tools.wait(pauseMs, signal);
    }
    this.#nextMs = Math.max(this.#nextMs, this.#tools.now() - this.#maxBehindMs) + packets * this.#everyMs;
  }
}

/** Allows starts: never more than so many within one second, wherever that second begins. They may come in one burst. */
export class StartPace {
  readonly #windowMs: number;
  /** When the last starts were allowed; the oldest is at `#oldest`. */
  readonly #startsMs: number[];
  #oldest = 0;

  constructor(startsPerSecond: number) {
    const count = Math.max(1, Math.floor(startsPerSecond));
    this.#windowMs = (1000 * count) / startsPerSecond;
    this.#startsMs = new Array<number>(count).fill(Number.NEGATIVE_INFINITY);
  }

  /** Returns 0 when a start is allowed now, and counts it; otherwise the milliseconds until one will be. */
  take(nowMs: number): number {
    const pauseMs = this.#startsMs[this.#oldest]! + this.#windowMs - nowMs;
    if (pauseMs > 0) return pauseMs;
    this.#startsMs[this.#oldest] = nowMs;
    this.#oldest = (this.#oldest + 1) % this.#startsMs.length;
    return 0;
  }
}
