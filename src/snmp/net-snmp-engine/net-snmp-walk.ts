import { compareOids, isUnderOid, normalizeOid, type Oid } from '../../model/oid.ts';
import type { Clock } from '../../timing/clock.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import type { SessionLimits } from '../peer/target.ts';
import { encodeValidOid } from '../request/split-request.ts';
import type { SnmpSession, SnmpWalk } from '../session/snmp-session.ts';
import { SnmpError, type SnmpErrorCode } from '../snmp-error.ts';
import type { PeerPace } from '../transport/peer-pace.ts';
import type { WalkOptions, WalkOutcome } from '../walk/walk.ts';
import type { PartialReason } from '../walk/walk-column.ts';
import { partArcs, WalkProof } from '../walk/walk-proof.ts';

const firstRepetitions = 20;
const sysUpTime = '1.3.6.1.2.1.1.3.0';

/** The part of a session that its walks use. */
interface WalkedSession
  extends Pick<SnmpSession, 'get' | 'getNext' | 'getBulk' | 'silentUntil' | 'learnSilence'> {
  readonly clock: Clock;
  readonly pace: PeerPace;
  readonly limits: SessionLimits;
  readonly isVersion1: boolean;
}

/**
 * Walks subtrees one after the other. Waywiser's own engine walks them side by side; the varbinds are the same. Where a device that
 * answers other requests does not answer, this walk goes on with the next subtree, and the own engine behind that place.
 */
export class NetSnmpWalk implements SnmpWalk {
  readonly #session: WalkedSession;
  readonly #roots: readonly Oid[];
  readonly #options: WalkOptions;
  readonly #partial: { root: Oid; reason: PartialReason }[] = [];
  readonly #maxVarbinds: number;
  readonly #proof: WalkProof;
  #requests = 0;
  #varbinds = 0;
  #deadlineMs = Number.POSITIVE_INFINITY;

  constructor(session: WalkedSession, roots: readonly Oid[], options: WalkOptions) {
    for (const root of roots) encodeValidOid(root);
    this.#session = session;
    this.#roots = roots.map((root) => normalizeOid(root)!);
    this.#options = options;
    this.#maxVarbinds = options.maxVarbinds ?? 100_000;
    this.#proof = new WalkProof(session.pace);
  }

  get outcome(): WalkOutcome {
    return { requests: this.#requests, varbinds: this.#varbinds, partial: this.#partial };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Varbind[]> {
    const { withinMs } = this.#options;
    if (withinMs !== undefined) this.#deadlineMs = this.#session.clock.now() + withinMs;
    for (const root of this.#roots) {
      const reason = yield* this.#walkRoot(root);
      if (reason === undefined) this.#proof.endPart();
      else this.#partial.push({ root, reason });
    }
  }

  async *#walkRoot(root: Oid): AsyncGenerator<Varbind[], PartialReason | undefined> {
    if (this.#session.silentUntil(root) !== undefined) return 'unanswered';
    let last = root;
    let repetitions = Math.min(
      firstRepetitions,
      this.#options.maxRepetitions ?? this.#session.limits.maxRepetitions,
    );
    for (let emptyReplies = 0; emptyReplies < 2; ) {
      if (this.#session.clock.now() >= this.#deadlineMs) return 'budget';
      const room = this.#maxVarbinds - this.#varbinds;
      if (room <= 0) return 'maxVarbinds';
      await this.#keepPace();
      const reply = await this.#next(last, repetitions);
      if (typeof reply === 'string') {
        // A smaller request returns the varbinds before the one that fails.
        if (reply === 'unanswered' && last === root && repetitions === 1) this.#session.learnSilence(root);
        if (repetitions === 1) return reply;
        repetitions = reply === 'unanswered' ? 1 : repetitions >> 1;
        continue;
      }
      emptyReplies = reply.length === 0 ? emptyReplies + 1 : 0;
      const { taken, end } = takeFrom(reply, root, last);
      const kept = taken.slice(0, room);
      this.#varbinds += kept.length;
      const before = last;
      last = kept.at(-1)?.oid ?? last;
      if (partOf(before) !== partOf(last)) this.#proof.endPart();
      if (kept.length > 0) yield kept;
      if (end === 'end') return undefined;
      if (end !== undefined) return end;
    }
    return 'emptyReplies';
  }

  async #keepPace(): Promise<void> {
    const { clock, pace } = this.#session;
    this.#proof.count();
    const dueMs = Math.min(clock.now() + pace.take(clock.now()), this.#deadlineMs);
    while (clock.now() < dueMs && !this.#options.signal?.aborted) {
      await new Promise<void>((resolve) => void clock.setTimer(resolve, dueMs - clock.now()));
    }
  }

  /** The varbinds of a reply, or the reason why the walk cannot continue. */
  async #next(last: Oid, maxRepetitions: number): Promise<Varbind[] | PartialReason> {
    const { signal } = this.#options;
    this.#requests++;
    try {
      return this.#session.isVersion1
        ? await this.#session.getNext([last], { signal })
        : await this.#session.getBulk([last], { maxRepetitions, signal });
    } catch (error) {
      const reason = error instanceof SnmpError ? reasonByCode[error.code] : undefined;
      if (reason === undefined || (reason === 'unanswered' && !(await this.#isAlive()))) throw error;
      return reason;
    }
  }

  async #isAlive(): Promise<boolean> {
    const { signal } = this.#options;
    return this.#session.get([sysUpTime], { signal }).then(
      () => true,
      () => false,
    );
  }
}

const reasonByCode: Readonly<Partial<Record<SnmpErrorCode, PartialReason>>> = {
  SNMP_NOT_INCREASING: 'notIncreasing',
  SNMP_TOO_BIG: 'tooBig',
  SNMP_TIMEOUT: 'unanswered',
};

/** The last arc of an OID never counts: it may be all that an endless row of OIDs changes. */
function partOf(oid: Oid): string {
  return oid.split('.').slice(0, -1).slice(0, partArcs).join('.');
}

/** The varbinds below `root` up to the first one outside of it, and what that one means. */
function takeFrom(
  reply: readonly Varbind[],
  root: Oid,
  last: Oid,
): { taken: Varbind[]; end: PartialReason | 'end' | undefined } {
  const taken: Varbind[] = [];
  let before = last;
  for (const varbind of reply) {
    if (varbind.type === 'endOfMibView' || varbind.oid === root || !isUnderOid(varbind.oid, root)) {
      return { taken, end: 'end' };
    }
    if (varbind.type === 'genErr') return { taken, end: 'genErr' };
    if (compareOids(varbind.oid, before) <= 0) return { taken, end: 'notIncreasing' };
    taken.push(varbind);
    before = varbind.oid;
  }
  return { taken, end: undefined };
}
