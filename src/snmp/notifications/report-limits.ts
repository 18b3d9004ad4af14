import { SecondCount, type Source } from './source-table.ts';

/** What may be sent within a second although nothing was received: the answers to some discoveries at a quiet time. */
const freeOctets = 4_096;
/** The size that a Report is expected to have. */
const reportOctets = 128;

export interface ReplyLimits {
  readonly sourceRepliesPerSecond: number;
  readonly repliesPerSecond: number;
}

/**
 * Unsigned Reports go to the address that a datagram gives as its source. So they are few, and together not more octets than came in: the
 * receiver is of no use for an attack on others.
 */
export class ReportLimits {
  readonly #limits: ReplyLimits;
  readonly #all = new SecondCount();
  #second = Number.NEGATIVE_INFINITY;
  #received = 0;
  #sent = 0;

  constructor(limits: ReplyLimits) {
    this.#limits = limits;
  }

  countReceived(octets: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#received = 0;
      this.#sent = 0;
    }
    this.#received += octets;
  }

  /** Whether a Report may be sent; if so, it is counted. Call `countReceived` before, and `countSent` after it. */
  maySend(source: Source, nowMs: number): boolean {
    if (this.#sent + reportOctets > Math.max(freeOctets, this.#received)) return false;
    const { sourceRepliesPerSecond, repliesPerSecond } = this.#limits;
    return (
      source.limits.replies.take(nowMs, sourceRepliesPerSecond) && this.#all.take(nowMs, repliesPerSecond)
    );
  }

  countSent(octets: number): void {
    this.#sent += octets;
  }
}
