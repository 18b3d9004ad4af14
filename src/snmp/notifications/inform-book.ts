/** How long an inform is remembered, so that one that is sent again is kept once. */
const keepMs = 60_000;
const maxInforms = 65_536;
const maxPending = 10_000;
/** Replies that wait for one inform: a sender repeats it some times. */
const maxReplies = 8;

/** One inform, however often it is sent. */
export interface KnownInform {
  readonly id: number;
  readonly key: number;
  readonly sinceMs: number;
  /** `refused`: the next one that is sent is a new attempt. */
  state: 'pending' | 'acknowledged' | 'refused';
  /** Each sends one reply. */
  replies: (() => void)[];
}

/** The informs of the last minute. */
export class InformBook {
  readonly #byKey = new Map<number, KnownInform>();
  readonly #pending = new Map<number, KnownInform>();
  #nextId = 1;

  /** Whether too many informs wait for another one to be started. */
  get isFull(): boolean {
    return this.#pending.size >= maxPending;
  }

  find(key: number, nowMs: number): KnownInform | undefined {
    const known = this.#byKey.get(key);
    return known !== undefined && (known.state === 'pending' || nowMs - known.sinceMs < keepMs)
      ? known
      : undefined;
  }

  /** Starts an attempt; with `refused`, another one of the same inform. */
  start(key: number, nowMs: number, refused?: KnownInform): KnownInform {
    this.#forgetOld(nowMs);
    const inform: KnownInform = {
      id: refused?.id ?? this.#nextId++,
      key,
      sinceMs: nowMs,
      state: 'pending',
      replies: [],
    };
    this.#byKey.delete(key);
    this.#byKey.set(key, inform);
    this.#pending.set(inform.id, inform);
    return inform;
  }

  /** Ends the attempt. Undefined when it has ended before. */
  settle(id: number, state: 'acknowledged' | 'refused'): KnownInform | undefined {
    const inform = this.#pending.get(id);
    if (inform === undefined) return undefined;
    this.#pending.delete(id);
    inform.state = state;
    return inform;
  }

  addReply(inform: KnownInform, reply: () => void): void {
    if (inform.replies.length < maxReplies) inform.replies.push(reply);
  }

  /** One that still waits can be settled, but its next attempt is another inform. */
  #forgetOld(nowMs: number): void {
    for (const [key, { sinceMs }] of this.#byKey) {
      if (nowMs - sinceMs < keepMs && this.#byKey.size < maxInforms) break;
      this.#byKey.delete(key);
    }
  }
}
