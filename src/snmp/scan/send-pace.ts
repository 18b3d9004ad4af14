/** Time, as a parameter. */
export interface PaceTools {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  wait(ms: number, signal?: AbortSignal): Promise<unknown>;
}

/** A timer is late by some milliseconds now and then: so much may be made up for, and no more. */
const maxBehindMs = 20;

/** Deals out leave to send at a steady pace, in the order of asking: whatever answers, and whoever waits. */
export class SendPace {
  readonly #everyMs: number;
  readonly #tools: PaceTools;
  #nextMs = Number.NEGATIVE_INFINITY;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(everyMs: number, tools: PaceTools) {
    this.#everyMs = everyMs;
    this.#tools = tools;
  }

  /** Resolves when one packet may leave; rejects when the signal aborts before. */
  take(signal?: AbortSignal): Promise<void> {
    const turn = this.#turn.then(() => this.#waitForSlot(signal));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Counts packets that left on the leave for another: those that come wait the longer. */
  charge(packets: number): void {
    this.#nextMs += packets * this.#everyMs;
  }

  async #waitForSlot(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    for (;;) {
      const pauseMs = this.#nextMs - this.#tools.now();
      if (pauseMs <= 0) break;
      await this.#tools.wait(pauseMs, signal);
    }
    this.#nextMs = Math.max(this.#nextMs, this.#tools.now() - maxBehindMs) + this.#everyMs;
  }
}
