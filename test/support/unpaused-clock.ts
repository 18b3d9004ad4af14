import { type Clock, systemClock } from '../../src/timing/clock.ts';

const beatMs = 10;
/** More than this between two beats means that the process did not run. */
const maxStepMs = 50;
/** In so many turns of the event loop a datagram passes a socket of every station, whichever it is on the way to. */
const turns = 5;

/**
 * The system's clock without the time in which a busy machine kept requests from being answered: it stands still while this process
 * does not run, and while `traffic`, a count of datagrams, grows.
 */
export class UnpausedClock implements Clock {
  readonly #traffic: () => number;
  #counted = 0;
  #nowMs = 0;
  #beatMs = performance.now();
  #timer: NodeJS.Timeout | NodeJS.Immediate;
  readonly wallNow = systemClock.wallNow;
  readonly setTimer = systemClock.setTimer;
  readonly clearTimer = systemClock.clearTimer;

  constructor(traffic: () => number = () => 0) {
    this.#traffic = traffic;
    this.#timer = this.#wait();
  }

  now(): number {
    return this.#nowMs;
  }

  close(): void {
    clearTimeout(this.#timer as NodeJS.Timeout);
    clearImmediate(this.#timer as NodeJS.Immediate);
  }

  #wait(): NodeJS.Timeout {
    return setTimeout(() => this.#afterTurns(turns), beatMs);
  }

  #afterTurns(left: number): void {
    if (left > 0) {
      this.#timer = setImmediate(() => this.#afterTurns(left - 1));
      return;
    }
    const beatMs = performance.now();
    const traffic = this.#traffic();
    if (traffic === this.#counted) this.#nowMs += Math.min(beatMs - this.#beatMs, maxStepMs);
    this.#counted = traffic;
    this.#beatMs = beatMs;
    this.#timer = this.#wait();
  }
}
