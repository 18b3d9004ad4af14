import { normalizeOid, type Oid } from '../../model/oid.ts';
import { berTag } from '../codec/ber-tag.ts';
import { errorStatuses } from '../codec/pdu.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import type { FlightContext } from '../request/flight-context.ts';
import { PduFlight, type PduReply, type PduRequest } from '../request/pdu-flight.ts';
import { agentErrorOf, encodeValidOid } from '../request/split-request.ts';
import { SnmpError, type SnmpErrorCode } from '../snmp-error.ts';
import { RepetitionSizer } from './repetition-sizer.ts';
import { type PartialReason, WalkColumn } from './walk-column.ts';
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

/**
 * Walks subtrees side by side: `for await (const varbinds of walk)`. Each array holds the varbinds of one reply and is never
 * empty. Requests are sent as fast as arrays are taken, one ahead. After a lost reply, the walk continues from the last OID.
 */
export class Walk implements AsyncIterable<Varbind[]> {
  readonly #session: FlightContext;
  readonly #columns: readonly WalkColumn[];
  readonly #options: WalkOptions;
  readonly #queue: WalkQueue;
  readonly #sizer: RepetitionSizer;
  readonly #flight: PduFlight;
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
    this.#next();
  }

  /** Sends the next request, unless the walk is over. */
  #next(): void {
    this.#active = this.#active.filter((column) => !column.isDone);
    if (this.#now() >= this.#deadlineMs) this.#stopAll('budget');
    if (this.#varbinds >= this.#maxVarbinds) this.#stopAll('maxVarbinds');
    if (this.#active.length === 0) {
      this.#sizer.end();
      this.#queue.finish();
      return;
    }
    this.#flight.request = this.#request();
    this.#requests++;
    this.#flight.launch();
  }

  #request(): PduRequest {
    this.#asked =
      this.#active.length > this.#maxColumns ? this.#active.slice(0, this.#maxColumns) : this.#active;
    const isBulk = this.#session.wire.version !== 0;
    return {
      tag: isBulk ? berTag.getBulkRequest : berTag.getNextRequest,
      oids: this.#asked.map((column) => column.last),
      nonRepeaters: 0,
      maxRepetitions: isBulk ? this.#sizer.repetitions(this.#asked.length) : 0,
      acceptsAnyOrder: this.#sizer.isLooping,
      comparesRows: true,
    };
  }

  #onReply(reply: PduReply): void {
    if (reply.errorStatus !== 0) this.#onErrorStatus(reply);
    else if (reply.varbinds.length === 0) this.#onEmptyReply();
    else this.#take(reply);
    if (this.#queue.wantsMore) this.#next();
  }

  #take(reply: PduReply): void {
    const { varbinds, bytes, ranges } = reply;
    const asked = this.#asked;
    this.#emptyReplies = 0;
    this.#sizer.learnReply(bytes.length, varbinds.length);
    const room = this.#maxVarbinds - this.#varbinds;
    const taken: Varbind[] = [];
    for (let i = 0; i < varbinds.length && taken.length < room; i++) {
      const column = asked[asked.length === 1 ? 0 : i % asked.length]!;
      if (column.isDone) continue;
      const varbind = varbinds[i]!;
      const start = ranges.starts[i]!;
      const end = ranges.ends[i]!;
      if (varbind.type === 'endOfMibView' || !column.holds(bytes, start, end)) {
        column.isDone = true;
      } else if (column.isBehind(bytes, start, end)) {
        taken.push(varbind);
        column.advance(bytes, start, end);
      } else {
        column.stop('notIncreasing');
        this.#sizer.learnLoop();
      }
    }
    for (const column of asked) column.settle();
    this.#varbinds += taken.length;
    if (taken.length > 0) this.#queue.push(taken);
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
    this.#queue.fail(this.#session.errorOf(code, this.#flight));
  }

  /** Requests less; false when one varbind is requested already. */
  #shrink(): boolean {
    if (this.#sizer.halve()) return true;
    if (this.#asked.length === 1) return false;
    this.#maxColumns = this.#asked.length >> 1;
    return true;
  }

  #stopAll(reason: PartialReason): void {
    for (const column of this.#active) column.stop(reason);
    this.#active = [];
  }

  #now(): number {
    return this.#session.core.transport.clock.now();
  }
}
