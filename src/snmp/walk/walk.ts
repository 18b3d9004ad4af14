import { normalizeOid, type Oid } from '../../model/oid.ts';
import { berTag } from '../codec/ber-tag.ts';
import { errorStatuses } from '../codec/pdu.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import { askAgainMs } from '../request/expiring-oids.ts';
import type { FlightContext } from '../request/flight-context.ts';
import { PduFlight, type PduReply, type PduRequest } from '../request/pdu-flight.ts';
import { agentErrorOf, encodeValidOid } from '../request/split-request.ts';
import { SnmpError, type SnmpErrorCode } from '../snmp-error.ts';
import { RepetitionSizer } from './repetition-sizer.ts';
import { StuckColumns } from './stuck-columns.ts';
import { type PartialReason, WalkColumn } from './walk-column.ts';
import { WalkProof } from './walk-proof.ts';
import { WalkQueue } from './walk-queue.ts';

export interface WalkOptions {
  readonly signal?: AbortSignal | undefined;
  /** 100,000 by default. */
  readonly maxVarbinds?: number | undefined;
  /** Milliseconds from the first request; no limit by default. */
  readonly withinMs?: number | undefined;
  readonly maxRepetitions?: number | undefined;
}

export interface WalkOutcome {
  readonly requests: number;
  readonly varbinds: number;
  /** The roots that were not read to their end, and why. Empty when all were read. */
  readonly partial: readonly { readonly root: Oid; readonly reason: PartialReason }[];
}

/** Requests without an answer that one walk waits for while it finds out what the device does not answer for. */
const maxWaits = 12;
/** When this many columns stay without an answer and none has one, the others are not asked. */
const maxInVain = 2;
const sysUpTime = encodeValidOid('1.3.6.1.2.1.1.3.0');

/**
 * Walks subtrees side by side: `for await (const varbinds of walk)`. Each array holds the varbinds of one reply and is never
 * empty. Requests are sent as fast as arrays are taken, one ahead. After a lost reply, the walk continues from the last OID. When a device
 * answers other requests, the walk continues behind what it does not answer for.
 */
export class Walk implements AsyncIterable<Varbind[]> {
  readonly #session: FlightContext;
  readonly #columns: readonly WalkColumn[];
  readonly #options: WalkOptions;
  readonly #queue: WalkQueue;
  readonly #sizer: RepetitionSizer;
  readonly #flight: PduFlight;
  readonly #proof: WalkProof;
  readonly #maxVarbinds: number;
  #active: WalkColumn[];
  /** The columns of the outstanding request: all active ones, or fewer where even one row is too big. */
  #asked: readonly WalkColumn[] = [];
  #maxColumns: number;
  #deadlineMs = Number.POSITIVE_INFINITY;
  #requests = 0;
  #varbinds = 0;
  #emptyReplies = 0;
  #hasStarted = false;
  readonly #stuck = new StuckColumns();
  /** The unanswered columns of which each is asked for on its own. */
  #suspects: readonly WalkColumn[] = [];
  #isSuspectFound = false;
  /** The stuck column that is tried again. */
  #trial: WalkColumn | undefined = undefined;
  /** Requests for one repetition that are left: they lead to the varbind that is not answered. */
  #slowRequests = 0;
  #isAliveCheck = false;
  #waits = 0;

  constructor(session: FlightContext, roots: readonly Oid[], options: WalkOptions) {
    this.#session = session;
    this.#options = options;
    this.#columns = roots.map((root) => new WalkColumn(normalizeOid(root) ?? root, encodeValidOid(root)));
    this.#active = [...this.#columns];
    this.#maxColumns = Math.min(roots.length, session.limits.maxOids);
    this.#maxVarbinds = options.maxVarbinds ?? 100_000;
    this.#sizer = new RepetitionSizer(session, this.#columns[0]?.root ?? '', options.maxRepetitions);
    this.#flight = new PduFlight(session, this.#request(), {
      onReply: (reply) => this.#onReply(reply),
      onFailure: (code) => this.#onFailure(code),
    });
    this.#flight.keepsPace = true;
    this.#proof = new WalkProof(session.peer.pace);
    this.#queue = new WalkQueue({
      start: () => this.#start(),
      resume: () => this.#next(),
      stop: () => session.core.transport.end(this.#flight),
    });
  }

  get outcome(): WalkOutcome {
    const partial = this.#columns.flatMap(({ root, reason }) =>
      reason === undefined ? [] : [{ root, reason }],
    );
    return { requests: this.#requests, varbinds: this.#varbinds, partial };
  }

  [Symbol.asyncIterator](): AsyncIterator<Varbind[]> {
    return this.#queue;
  }

  #start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const { signal, withinMs } = this.#options;
    this.#session.assertUsable(signal);
    if (withinMs !== undefined) this.#deadlineMs = this.#now() + withinMs;
    this.#flight.latestMs = this.#deadlineMs;
    if (signal !== undefined) {
      const abort = () =>
        this.#queue.fail(new SnmpError('SNMP_ABORTED', { target: this.#session.name }, signal.reason));
      signal.addEventListener('abort', abort, { once: true });
      this.#queue.onEnd = () => signal.removeEventListener('abort', abort);
    }
    this.#leaveOutSilent();
    this.#next();
  }

  /** Sends the next request, unless the walk is over. */
  #next(): void {
    this.#active = this.#active.filter((column) => !column.isDone && !this.#stuck.has(column));
    if (this.#now() >= this.#deadlineMs) this.#stopAll('budget');
    if (this.#varbinds >= this.#maxVarbinds) this.#stopAll('maxVarbinds');
    if (this.#active.length === 0) this.#trial = this.#findTrial();
    if (this.#active.length === 0 && this.#trial === undefined) {
      this.#sizer.end();
      if (this.#columns.every(({ reason }) => reason === undefined)) this.#proof.endPart();
      this.#queue.finish();
      return;
    }
    this.#flight.request = this.#request();
    this.#requests++;
    this.#proof.count();
    this.#flight.launch();
  }

  #request(): PduRequest {
    this.#asked = this.#choose();
    const isBulk = this.#session.wire.version !== 0;
    const isSlow = this.#slowRequests > 0 || this.#suspects.length > 0 || this.#trial !== undefined;
    return {
      tag: isBulk ? berTag.getBulkRequest : berTag.getNextRequest,
      oids: this.#asked.map((column) => column.last),
      nonRepeaters: 0,
      maxRepetitions: isBulk ? this.#sizer.repetitions(this.#asked.length, isSlow ? 1 : undefined) : 0,
      acceptsAnyOrder: this.#sizer.isLooping,
      comparesRows: true,
    };
  }

  #choose(): readonly WalkColumn[] {
    if (this.#trial !== undefined) return [this.#trial];
    if (this.#suspects.length > 0) return this.#suspects.slice(0, 1);
    return this.#active.length > this.#maxColumns ? this.#active.slice(0, this.#maxColumns) : this.#active;
  }

  #onReply(reply: PduReply): void {
    if (this.#isAliveCheck) this.#onAlive();
    else {
      if (reply.errorStatus !== 0) this.#onErrorStatus(reply);
      else if (reply.varbinds.length === 0) this.#onEmptyReply();
      else this.#take(reply);
      this.#endTest();
    }
    if (this.#queue.wantsMore) this.#next();
  }

  #take(reply: PduReply): void {
    const { varbinds, bytes, ranges } = reply;
    const asked = this.#asked;
    this.#emptyReplies = 0;
    this.#sizer.learnReply(bytes.length, varbinds.length);
    const room = this.#maxVarbinds - this.#varbinds;
    let taken = 0;
    for (let i = 0; i < varbinds.length && taken < room; i++) {
      const column = asked[asked.length === 1 ? 0 : i % asked.length]!;
      if (column.isDone) continue;
      if (column.take(varbinds[i]!, i, bytes, ranges)) varbinds[taken++] = varbinds[i]!;
      else if (column.reason === 'notIncreasing') this.#sizer.learnLoop();
    }
    if (this.#waits > 0) this.#onAnswer(reply, taken);
    varbinds.length = taken;
    for (const column of asked) if (column.settle(bytes, ranges)) this.#proof.endPart();
    this.#varbinds += taken;
    if (taken > 0) this.#queue.push(varbinds);
  }

  #onErrorStatus({ errorStatus, errorIndex }: PduReply): void {
    const status = errorStatuses[errorStatus];
    switch (status) {
      case 'tooBig':
        if (!this.#shrink()) this.#stopAll('tooBig');
        break;
      case 'noSuchName': {
        // The end of the MIB in SNMPv1. Without a usable index, the column is known only when it is the only one.
        const culprit = this.#asked[errorIndex - 1];
        if (culprit !== undefined) culprit.isDone = true;
        else if (this.#asked.length === 1) this.#asked[0]!.isDone = true;
        else this.#maxColumns = 1;
        break;
      }
      case 'genErr': {
        const culprit =
          this.#asked[errorIndex - 1] ?? (this.#asked.length === 1 ? this.#asked[0] : undefined);
        if (culprit === undefined) this.#maxColumns = 1;
        else if (!this.#sizer.halve()) culprit.stop('genErr');
        break;
      }
      default:
        this.#queue.fail(agentErrorOf(this.#session, errorStatus, status));
    }
  }

  #onEmptyReply(): void {
    this.#shrink();
    if (++this.#emptyReplies >= 2) this.#stopAll('emptyReplies');
  }

  #onFailure(code: SnmpErrorCode): void {
    if (this.#now() >= this.#deadlineMs) {
      // `#next` stops the rest.
      if (this.#queue.wantsMore) this.#next();
      return;
    }
    if (code === 'SNMP_NOT_INCREASING') {
      this.#sizer.learnLoop();
      if (this.#asked.length === 1) this.#asked[0]!.stop('notIncreasing');
      else this.#sizer.isLooping = true;
      if (this.#queue.wantsMore) this.#next();
      return;
    }
    // The agent may be unable to answer requests that are larger than those that succeeded before.
    if (code === 'SNMP_TIMEOUT' && this.#sizer.retreat()) {
      if (this.#queue.wantsMore) this.#next();
      return;
    }
    const isSilence = code === 'SNMP_TIMEOUT' && this.#session.peer.srttMs > 0 && !this.#isAliveCheck;
    if (isSilence && this.#waits < maxWaits) this.#checkLife();
    else this.#queue.fail(this.#session.errorOf(code, this.#flight));
  }

  #checkLife(): void {
    this.#isAliveCheck = true;
    this.#flight.request = {
      tag: berTag.getRequest,
      oids: [this.#session.answered ?? sysUpTime],
      nonRepeaters: 0,
      maxRepetitions: 0,
      acceptsAnyOrder: false,
    };
    this.#flight.launch();
  }

  /** The device answers, but not the last request of the walk. */
  #onAlive(): void {
    this.#isAliveCheck = false;
    const [column] = this.#asked;
    if (++this.#waits >= maxWaits) this.#stopAll('unanswered');
    // What is stuck stays so: `#next` tries it elsewhere.
    else if (this.#trial !== undefined) this.#trial = undefined;
    else if (this.#suspects.length > 0) {
      this.#isSuspectFound = true;
      this.#nextSuspect();
      this.#setAside(column!);
    } else if (this.#sizer.lastAsked > 1) this.#slowRequests = this.#sizer.lastAsked;
    else if (this.#asked.length > 1) {
      this.#suspects = this.#asked;
      this.#isSuspectFound = false;
    } else this.#setAside(column!);
  }

  /** A request was answered after others were not. */
  #onAnswer({ bytes, ranges, varbinds }: PduReply, taken: number): void {
    const asked = this.#asked;
    if (this.#slowRequests > 0) this.#slowRequests--;
    if (this.#stuck.size === 0) return;
    for (let i = 0; i < varbinds.length && taken > 0; i++) {
      const column = asked[i % asked.length]!;
      const [start, end] = [ranges.starts[i]!, ranges.ends[i]!];
      if (column.holds(bytes, start, end)) this.#stuck.noteInstance(column, bytes, start, end);
    }
  }

  /** The reply to a suspect or to a trial, whatever it was. */
  #endTest(): void {
    if (this.#suspects.length > 0) this.#nextSuspect();
    const trial = this.#trial;
    if (trial === undefined) return;
    this.#trial = undefined;
    this.#stuck.remove(trial);
    trial.reason ??= 'unanswered';
    if (!trial.isDone) this.#active = [trial];
    else if (!trial.isFound) this.#learnSilence(trial);
  }

  #nextSuspect(): void {
    this.#suspects = this.#suspects.slice(1);
    // Each column is answered on its own: together they are too many.
    if (this.#suspects.length === 0 && !this.#isSuspectFound)
      this.#maxColumns = Math.max(1, this.#maxColumns >> 1);
  }

  #setAside(column: WalkColumn): void {
    this.#slowRequests = 0;
    this.#sizer.undoRetreat();
    const others = this.#columns.filter((other) => other !== column);
    this.#stuck.add(column, others);
    if (this.#varbinds > 0 || this.#stuck.size < maxInVain) return;
    for (const each of [...this.#active, ...this.#stuck.columns]) this.#learnSilence(each);
    this.#stopAll('unanswered');
  }

  /** A stuck column, behind what it is stuck at. Columns that have nowhere to continue end. */
  #findTrial(): WalkColumn | undefined {
    while (this.#stuck.size > 0) {
      const { column, isAtEnd, hasTarget } = this.#stuck.skip(this.#columns.length === 1);
      if (hasTarget) return column;
      this.#stuck.remove(column);
      if (isAtEnd) column.isDone = true;
      else column.stop('unanswered');
      if (!column.isFound) this.#learnSilence(column);
    }
    return undefined;
  }

  #learnSilence({ root }: WalkColumn): void {
    const { learned, core } = this.#session;
    learned.silent.add(root, core.transport.clock.wallNow() + askAgainMs);
  }

  #leaveOutSilent(): void {
    const { learned, core } = this.#session;
    if (learned.silent.size === 0) return;
    const nowMs = core.transport.clock.wallNow();
    for (const column of this.#active)
      if (learned.silent.until(column.root, nowMs) !== undefined) column.stop('unanswered');
  }

  /** Requests less; false when one varbind is requested already. */
  #shrink(): boolean {
    if (this.#sizer.halve()) return true;
    if (this.#asked.length === 1) return false;
    this.#maxColumns = this.#asked.length >> 1;
    return true;
  }

  #stopAll(reason: PartialReason): void {
    for (const column of [...this.#active, ...this.#stuck.columns]) {
      this.#stuck.remove(column);
      column.stop(reason);
    }
    this.#active = [];
    this.#suspects = [];
  }

  #now(): number {
    return this.#session.core.transport.clock.now();
  }
}
