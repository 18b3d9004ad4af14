import type { PeerPace } from '../transport/peer-pace.ts';

/** An agent may invent parts without end: beyond this many packets, a walk shows nothing more. */
const maxProven = 2_500;
/** Parts of a tree have OIDs with the same first arcs: those of a column of a standard table. */
export const partArcs = 10;

/** Counts the packets of a walk, and gives those back to the pace of the device that have read a part to its end. */
export class WalkProof {
  readonly #pace: PeerPace;
  #packets = 0;
  #left = maxProven;

  constructor(pace: PeerPace) {
    this.#pace = pace;
  }

  count(): void {
    this.#packets++;
  }

  /** What was read since the last call has ended. */
  endPart(): void {
    const proven = Math.min(this.#packets, this.#left);
    this.#left -= proven;
    this.#packets = 0;
    this.#pace.giveBack(proven);
  }
}
