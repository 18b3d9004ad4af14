import type { Oid } from '../../model/oid.ts';
import type { FlightContext } from '../request/flight-context.ts';

/** The size that the first request assumes for a varbind: its reply should not be fragmented, but be large enough. */
const expectedVarbindBytes = 40;
/** Version, community and PDU headers; the rest of a message is varbinds. SNMPv3 needs more. */
const overheadBytes = 60;
const securedOverheadBytes = 160;

/** Chooses how many repetitions a walk requests, based on the device's replies. */
export class RepetitionSizer {
  /** Whether replies that do not increase are accepted immediately instead of waiting for a better one. */
  isLooping: boolean;
  readonly #session: FlightContext;
  readonly #root: Oid;
  readonly #limit: number;
  #varbindBytes: number;
  #ceiling: number;
  /** The ceiling before requests of this walk timed out. */
  #ceilingBefore: number | undefined = undefined;
  #lastAsked = 0;
  #largestAnswered = 0;
  #hasLooped = false;

  constructor(session: FlightContext, root: Oid, limit = session.limits.maxRepetitions) {
    const known = session.learned.find(root);
    this.#session = session;
    this.#root = root;
    this.#limit = Math.min(limit, session.limits.maxRepetitions);
    this.#varbindBytes = known?.varbindBytes ?? expectedVarbindBytes;
    this.#ceiling = known?.maxRepetitions ?? Number.POSITIVE_INFINITY;
    this.isLooping = known?.isLooping ?? false;
  }

  /** Repetitions of the last request. */
  get lastAsked(): number {
    return this.#lastAsked;
  }

  repetitions(columns: number, limit = this.#limit): number {
    const { maxMessageBytes } = this.#session.limits;
    const overhead = this.#session.wire.version === 3 ? securedOverheadBytes : overheadBytes;
    const filling = Math.floor((maxMessageBytes - overhead) / (this.#varbindBytes * columns));
    this.#lastAsked = Math.max(1, Math.min(filling, this.#ceiling, limit));
    return this.#lastAsked;
  }

  learnReply(bytes: number, varbinds: number): void {
    this.#largestAnswered = Math.max(this.#largestAnswered, this.#lastAsked);
    this.#varbindBytes = bytes / varbinds;
  }

  /** Requests half from now on; false when it is one already. */
  halve(): boolean {
    if (this.#lastAsked <= 1) return false;
    this.#ceiling = this.#lastAsked >> 1;
    this.#session.learned.learnCeiling(this.#root, this.#ceiling);
    return true;
  }

  /** After a timeout: returns to a size that was answered before. False when a smaller request would not help. */
  retreat(): boolean {
    if (this.#lastAsked <= Math.max(1, this.#largestAnswered)) return false;
    // A device that has never answered is more likely down than overloaded.
    if (this.#session.peer.srttMs === 0) return false;
    this.#ceilingBefore ??= this.#ceiling;
    this.#ceiling = this.#largestAnswered === 0 ? Math.max(1, this.#lastAsked >> 3) : this.#largestAnswered;
    this.#session.learned.learnCeiling(this.#root, this.#ceiling);
    return true;
  }

  /** The timeouts had another cause than the number of repetitions. */
  undoRetreat(): void {
    if (this.#ceilingBefore === undefined) return;
    this.#ceiling = this.#ceilingBefore;
    this.#ceilingBefore = undefined;
    this.#session.learned.learnCeiling(this.#root, this.#ceiling);
  }

  learnLoop(): void {
    this.#hasLooped = true;
    this.#session.learned.learnLoop(this.#root);
  }

  /** Keeps what the finished walk has learned for the next one. */
  end(): void {
    if (this.#largestAnswered === 0) return;
    if (!this.#hasLooped) this.#session.learned.forgetLoop(this.#root);
    this.#session.learned.learnSize(this.#root, this.#varbindBytes);
    if (this.#lastAsked === this.#ceiling) this.#session.learned.raiseCeiling(this.#root, this.#limit);
  }
}
