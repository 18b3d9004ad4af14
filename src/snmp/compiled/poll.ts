import type { Oid } from '../../model/oid.ts';
import { askAgainMs } from '../request/expiring-oids.ts';
import type { FlightContext } from '../request/flight-context.ts';
import { tableOf } from '../request/learned.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';
import type { CompiledRequest } from './compiled-request.ts';
import {
  holdsValue,
  isSlotException,
  type PollColumns,
  slotStatus,
  statusOfFailure,
} from './poll-columns.ts';
import { type FlightOwner, PollFlight } from './poll-flight.ts';
import { Unanswered } from './unanswered.ts';

export interface PollOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. Slots without a value by then get `slotStatus.budget`. */
  readonly withinMs?: number | undefined;
  /** The most octets of all replies. Slots without a value by then get `slotStatus.budget`. No limit by default. */
  readonly maxBytes?: number | undefined;
  /** Whether the requests ask for tables that may have no end: then they keep the pace of walks. */
  readonly keepsPace?: boolean | undefined;
}

/** The result of a poll, in numbers of slots. */
export interface PollOutcome {
  /** Slots with a value, and slots whose varbind was an exception. */
  readonly values: number;
  readonly exceptions: number;
  /** Slots with neither: their status is the reason. */
  readonly missing: number;
  readonly replies: number;
  /** Milliseconds from the start to the reply with the first slot of the first request; undefined when there was none. */
  readonly firstAfterMs: number | undefined;
  /** The first reason why slots are missing, if some are. */
  readonly failure: SnmpErrorCode | undefined;
  /** The OIDs above the columns of tables whose replies had OIDs that do not increase. They are read by GET for the next hour. */
  readonly misordered: readonly Oid[];
}

/** After this many requests in a row without a reply, the rest is not requested. */
const maxSilentRequests = 2;

/** How long to wait when a part of a request is asked for that was not answered, in first attempts. */
const briefAttempts = 2;

/** After these failures the rest is not requested. */
const endsPoll: ReadonlySet<SnmpErrorCode> = new Set(['SNMP_CLOSED', 'SNMP_ABORTED', 'SNMP_REPLY_BYTES']);

/** One poll of one device: a few flights share a list of compiled requests. It ends when every slot has its status. */
export class Poll implements FlightOwner {
  readonly columns: PollColumns;
  readonly #session: FlightContext;
  readonly #requests: readonly CompiledRequest[];
  readonly #resolve: (outcome: PollOutcome) => void;
  readonly #deadlineMs: number;
  readonly #startedMs: number;
  #firstMs: number | undefined = undefined;
  #flights: PollFlight[] = [];
  #next = 0;
  readonly #maxBytes: number;
  readonly #keepsPace: boolean;
  #bytes = 0;
  #replies = 0;
  #silent = 0;
  #failure: SnmpErrorCode | undefined = undefined;
  /** Requests whose replies held more than values. */
  readonly #uneven = new Set<CompiledRequest>();
  /** What was answered last: asked for again, it shows whether the device is still alive. */
  #answered: CompiledRequest | undefined = undefined;
  #answeredAt = 0;
  /** The flight that finds out whether the device is alive, and the failures that it finds out about. */
  #lifeCheck: PollFlight | undefined = undefined;
  #failed: { readonly request: CompiledRequest; readonly index: number }[] = [];
  #unanswered: Unanswered | undefined = undefined;
  readonly #misordered = new Set<Oid>();
  #signal: AbortSignal | undefined;
  readonly #abort = () => this.#stop('SNMP_ABORTED');

  constructor(
    session: FlightContext,
    requests: readonly CompiledRequest[],
    columns: PollColumns,
    options: PollOptions,
    resolve: (outcome: PollOutcome) => void,
  ) {
    this.#session = session;
    this.#requests = requests;
    this.columns = columns;
    this.#resolve = resolve;
    const { withinMs, signal, maxBytes = Number.POSITIVE_INFINITY, keepsPace = false } = options;
    this.#keepsPace = keepsPace;
    this.#maxBytes = maxBytes;
    this.#startedMs = this.#now();
    this.#deadlineMs = withinMs === undefined ? Number.POSITIVE_INFINITY : this.#startedMs + withinMs;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  start(): void {
    const count = Math.min(this.#session.peer.window, this.#requests.length);
    if (count === 0) this.#finish();
    for (let i = 0; i < count; i++) {
      const flight = new PollFlight(this.#session, this);
      flight.latestMs = this.#deadlineMs;
      flight.keepsPace = this.#keepsPace;
      this.#flights.push(flight);
    }
    for (const flight of [...this.#flights]) this.onRequestDone(flight);
  }

  get isOverBytes(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  countReply(bytes: number): void {
    this.#bytes += bytes;
    this.#replies++;
    this.#silent = 0;
  }

  onValues(request: CompiledRequest, from: number): void {
    if (from === 0 && request.slots[0] === this.#requests[0]!.slots[0]) this.#firstMs = this.#now();
    this.#answered = request;
    this.#answeredAt = from;
    this.#unanswered?.recordAnswer(request);
  }

  markUneven(request: CompiledRequest): void {
    this.#uneven.add(request);
  }

  onMisordered(request: CompiledRequest, index: number): void {
    const table = tableOf(request.columns[request.columnOf(index)]!);
    const { learned, core } = this.#session;
    this.#misordered.add(table);
    learned.misordered.add(table, core.transport.clock.wallNow() + askAgainMs);
  }

  onRequestDone(flight: PollFlight): void {
    if (flight === this.#lifeCheck) this.#onAlive();
    const request = this.#take();
    if (request === undefined) this.#retire(flight);
    else this.#begin(flight, request);
  }

  onFailure(flight: PollFlight, code: SnmpErrorCode, request: CompiledRequest, index: number): void {
    const isLate = this.#now() >= this.#deadlineMs;
    this.#failure ??= code;
    if (flight === this.#lifeCheck) {
      this.#skipRest(code, isLate);
      this.#retire(flight);
      return;
    }
    this.#markMissing(request, index, isLate ? slotStatus.budget : statusOfFailure(code));
    if (code === 'SNMP_TIMEOUT' && !isLate && this.#replies > 0 && (this.#unanswered?.mayWait ?? true)) {
      this.#failed.push({ request, index });
      this.#checkLife(flight);
      return;
    }
    this.#silent++;
    const isSilent = this.#replies === 0 || this.#silent >= maxSilentRequests;
    if (isLate || isSilent || endsPoll.has(code)) this.#skipRest(code, isLate);
    this.onRequestDone(flight);
  }

  /** Before the device is asked for more, it must answer what it has answered before. Flights that fail meanwhile end. */
  #checkLife(flight: PollFlight): void {
    if (this.#lifeCheck !== undefined || this.#answered === undefined) {
      this.#retire(flight);
      return;
    }
    this.#lifeCheck = flight;
    const at = this.#answeredAt;
    this.#begin(
      flight,
      this.#answered.select((index) => index === at),
    );
  }

  #begin(flight: PollFlight, request: CompiledRequest): void {
    flight.latestMs = this.#deadlineMs;
    if (this.#unanswered?.isBrief(request)) {
      const untilMs = this.#now() + briefAttempts * this.#session.peer.timeoutMs(0);
      flight.latestMs = Math.min(untilMs, this.#deadlineMs);
    }
    flight.begin(request);
  }

  #onAlive(): void {
    this.#lifeCheck = undefined;
    const { learned, core } = this.#session;
    this.#unanswered ??= new Unanswered((column) =>
      learned.silent.add(column, core.transport.clock.wallNow() + askAgainMs),
    );
    for (const { request, index } of this.#failed) this.#unanswered.add(request, index);
    this.#failed = [];
  }

  #take(): CompiledRequest | undefined {
    while (this.#next < this.#requests.length) {
      const request = this.#leaveOutSilent(this.#requests[this.#next++]!);
      if (request !== undefined) return this.#avoidBulk(request);
    }
    return this.#unanswered?.next();
  }

  /** The request without what the device does not answer for; undefined when nothing is left. */
  #leaveOutSilent(request: CompiledRequest): CompiledRequest | undefined {
    const { learned, core } = this.#session;
    if (learned.silent.size === 0) return request;
    const nowMs = core.transport.clock.wallNow();
    const known = learned.silent.entries.filter(([oid]) => learned.silent.until(oid, nowMs) !== undefined);
    const columns = request.columns.flatMap((column, i) =>
      known.some(([oid]) => oid === column) ? [i] : [],
    );
    const instances = known.flatMap(([oid]) =>
      request.columns.some((column) => oid.startsWith(`${column}.`)) ? [oid] : [],
    );
    if (columns.length + instances.length === 0) return request;
    this.#markMissing(request, 0, slotStatus.timeout);
    const left = request.without(columns, instances);
    return left.count === 0 ? undefined : left;
  }

  /** The same by GET, for a table whose replies to GETBULK cannot be used. */
  #avoidBulk(request: CompiledRequest): CompiledRequest {
    const { learned, core } = this.#session;
    if (learned.misordered.size === 0 || request.width === 0) return request;
    const nowMs = core.transport.clock.wallNow();
    const isUsable = request.columns.every(
      (column) => learned.misordered.until(tableOf(column), nowMs) === undefined,
    );
    if (isUsable) return request;
    this.#uneven.add(request);
    return request.without([], []);
  }

  #stop(code: SnmpErrorCode): void {
    this.#skipRest(code, false);
    for (const flight of [...this.#flights]) {
      this.#session.core.transport.end(flight);
      flight.fail(code);
    }
  }

  #skipRest(code: SnmpErrorCode, isLate: boolean): void {
    const status = isLate ? slotStatus.budget : statusOfFailure(code);
    this.#unanswered?.clear();
    while (this.#next < this.#requests.length) this.#markMissing(this.#requests[this.#next++]!, 0, status);
  }

  #markMissing(request: CompiledRequest, from: number, status: number): void {
    this.#uneven.add(request);
    for (let i = from; i < request.count; i++) this.columns.status[request.slots[i]!] = status;
  }

  #retire(flight: PollFlight): void {
    this.#flights = this.#flights.filter((other) => other !== flight);
    if (this.#flights.length === 0) this.#finish();
  }

  #finish(): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    const { status } = this.columns;
    let values = 0;
    let exceptions = 0;
    let missing = 0;
    for (const request of this.#requests) {
      if (!this.#uneven.has(request)) {
        values += request.count;
        continue;
      }
      for (let i = 0; i < request.count; i++) {
        const code = status[request.slots[i]!]!;
        if (holdsValue(code)) values++;
        else if (isSlotException(code)) exceptions++;
        else missing++;
      }
    }
    this.#resolve({
      values,
      exceptions,
      missing,
      replies: this.#replies,
      firstAfterMs: this.#firstMs === undefined ? undefined : this.#firstMs - this.#startedMs,
      failure: this.#failure,
      misordered: [...this.#misordered],
    });
  }

  #now(): number {
    return this.#session.core.transport.clock.now();
  }
}
