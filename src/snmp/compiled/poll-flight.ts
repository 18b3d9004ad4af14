import { berTag } from '../codec/ber-tag.ts';
import { compareOidBytes } from '../codec/oid-bytes.ts';
import { errorStatuses } from '../codec/pdu.ts';
import { maxVarbinds, readVarbinds } from '../codec/varbind-codec.ts';
import type { FlightContext } from '../request/flight-context.ts';
import { SessionFlight } from '../request/session-flight.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';
import type { RejectReason } from '../transport/counters.ts';
import type { Envelope } from '../transport/envelope.ts';
import type { CompiledRequest, Template } from './compiled-request.ts';
import { type PollColumns, slotStatus } from './poll-columns.ts';

/** Values that are read by GET after an unexpected reply to a GETBULK, before the next GETBULK. */
const explicitWindow = 16;

/** The poll that a flight belongs to. */
export interface FlightOwner {
  readonly columns: PollColumns;
  /** Whether the replies exceed the limit of the poll: nothing more is requested. */
  readonly isOverBytes: boolean;
  countReply(bytes: number): void;
  /** A reply has brought values of this request from varbind `from` on. */
  onValues(request: CompiledRequest, from: number): void;
  /** A reply to this request did not hold exactly what was asked for: its slots are counted one by one at the end. */
  markUneven(request: CompiledRequest): void;
  /** The replies to a GETBULK for varbind `index` had OIDs that do not increase. */
  onMisordered(request: CompiledRequest, index: number): void;
  /** Gives the flight its next request, if there is one. */
  onRequestDone(flight: PollFlight): void;
  /** The flight's request failed at varbind `index`. */
  onFailure(flight: PollFlight, code: SnmpErrorCode, request: CompiledRequest, index: number): void;
}

/** One of a poll's concurrent requests: it works through compiled requests one after another, message by message. */
export class PollFlight extends SessionFlight {
  readonly #poll: FlightOwner;
  #request!: CompiledRequest;
  #template!: Template;
  /** The next varbind of the request to read. */
  #index = 0;
  /** The varbinds before this one are read by GET. */
  #explicitUntil = 0;
  /** Varbinds per message, after tooBig or after a varbind that must be left out. */
  #limit = Number.POSITIVE_INFINITY;
  /** Whether the OIDs of the last unexpected reply do not increase. */
  #isMisordered = false;

  constructor(session: FlightContext, poll: FlightOwner) {
    super(session);
    this.#poll = poll;
  }

  begin(request: CompiledRequest): void {
    this.#request = request;
    this.#index = 0;
    this.#explicitUntil = request.width === 0 ? request.count : 0;
    this.#limit = this.#learnedLimit();
    this.#send();
  }

  encode(id: number): Buffer {
    const { bytes, idAt } = this.#template;
    bytes[idAt] = id >>> 24;
    bytes[idAt + 1] = id >>> 16;
    bytes[idAt + 2] = id >>> 8;
    bytes[idAt + 3] = id;
    return this.session.wire.version === 3 ? this.seal(id, bytes) : bytes;
  }

  /** The socket's queue holds the template: other devices continue with a copy. */
  override bufferHeld(): void {
    this.#template.bytes = Buffer.from(this.#template.bytes);
  }

  fail(code: SnmpErrorCode): void {
    if (code === 'SNMP_NOT_INCREASING' && this.#template.isBulk) {
      this.#avoidBulk();
      this.#send();
      return;
    }
    this.#poll.onFailure(this, code, this.#request, this.#index);
  }

  protected answer(bytes: Buffer, envelope: Envelope): RejectReason | undefined {
    const { decoder } = this.session.core;
    const { from, ask, isBulk } = this.#template;
    const request = this.#request;
    decoder.decode(bytes, envelope.pduBody, envelope.pduEnd, request, from, ask, this.#poll.columns);
    const { matched, cause, errorStatus } = decoder;
    if (cause !== 'end' || errorStatus !== 0 || decoder.hasExceptions) this.#poll.markUneven(request);
    if (cause !== 'end' || (errorStatus === 0 && !isBulk && matched !== ask)) {
      const refusal = this.#checkUnexpected(bytes, envelope);
      if (refusal !== undefined) {
        this.#revoke(from, matched);
        return refusal;
      }
    }
    this.session.core.transport.accept(this, envelope.id);
    this.#poll.countReply(bytes.length);
    if (errorStatus !== 0) {
      this.#onErrorStatus(errorStatus, decoder.errorIndex);
      return undefined;
    }
    this.#poll.onValues(request, from);
    this.session.learned.confirmVarbinds(request.columns[0]!, matched, maxVarbinds);
    if (matched > 0 && isBulk) request.learnSize(envelope.pduEnd - envelope.pduBody, matched);
    this.#advance(Math.max(this.#index, from + matched), cause !== 'end');
    return undefined;
  }

  /** What a rejected reply has written does not count; the correct reply writes these slots again. */
  #revoke(from: number, count: number): void {
    for (let i = from; i < from + count; i++) {
      this.#poll.columns.status[this.#request.slots[i]!] = slotStatus.wrongAnswer;
    }
  }

  /** Reads the rest of the request by GET. */
  #avoidBulk(): void {
    this.#poll.onMisordered(this.#request, Math.min(this.#index, this.#request.count - 1));
    this.#explicitUntil = this.#request.count;
  }

  #learnedLimit(): number {
    return this.session.learned.varbindsWithin(this.#request.columns[0]!, Number.POSITIVE_INFINITY);
  }

  /** Continues after the varbinds of a reply. */
  #advance(index: number, isUnexpected: boolean): void {
    if (this.#template.isBulk && (isUnexpected || index === this.#index)) {
      this.#explicitUntil = Math.min(index + explicitWindow, this.#request.count);
    }
    this.#index = index;
    if (isUnexpected && this.#isMisordered) this.#avoidBulk();
    if (index === this.#request.count) this.#poll.onRequestDone(this);
    else this.#send();
  }

  #send(): void {
    if (this.#poll.isOverBytes) {
      this.fail('SNMP_REPLY_BYTES');
      return;
    }
    const isBulk = this.#index >= this.#explicitUntil;
    const limit = isBulk ? this.#limit : Math.min(this.#limit, this.#explicitUntil - this.#index);
    this.#template = this.#request.template(this.#index, isBulk, limit);
    this.launch();
  }

  #onErrorStatus(errorStatus: number, errorIndex: number): void {
    const { from, ask, isBulk } = this.#template;
    const status = errorStatuses[errorStatus];
    if (status === 'tooBig') {
      if (ask > Math.max(1, isBulk ? this.#request.width : 1)) {
        this.session.learned.shrinkVarbinds(this.#request.columns[0]!, ask >> 1);
        this.#sendAtMost(ask >> 1);
      } else {
        this.#onStuck(slotStatus.tooBig);
      }
    } else if (status !== 'noSuchName' && status !== 'genErr') {
      this.#onStuck(slotStatus.wrongAnswer);
    } else {
      const mark = status === 'noSuchName' ? berTag.noSuchInstance : slotStatus.genErr;
      const namesOne = !isBulk && errorIndex >= 1 && errorIndex <= ask;
      if (!namesOne) this.#onStuck(mark);
      else if (errorIndex === 1) this.#skip(mark);
      // First the varbinds before the missing one; then it is skipped; then the rest.
      else this.#sendAtMost(from + errorIndex - 1 - this.#index);
    }
  }

  /** A bulk request that cannot be answered continues by GET; a GET of one varbind is skipped. */
  #onStuck(mark: number): void {
    if (this.#template.isBulk) {
      this.#explicitUntil = Math.min(this.#index + explicitWindow, this.#request.count);
      this.#send();
    } else if (this.#template.ask === 1) {
      this.#skip(mark);
    } else {
      this.#sendAtMost(this.#template.ask >> 1);
    }
  }

  #sendAtMost(varbinds: number): void {
    this.#limit = varbinds;
    this.#send();
  }

  #skip(mark: number): void {
    this.#poll.columns.status[this.#request.slots[this.#index]!] = mark;
    this.#limit = this.#learnedLimit();
    this.#index++;
    if (this.#index === this.#request.count) this.#poll.onRequestDone(this);
    else this.#send();
  }

  /** Whether an unexpected reply is nevertheless legal because rows were added or removed. This is the slow path. */
  #checkUnexpected(bytes: Buffer, envelope: Envelope): RejectReason | undefined {
    const { reader, texts, ranges } = this.session.core;
    const { isBulk, from, ask } = this.#template;
    reader.open(bytes, envelope.pduBody, envelope.pduEnd);
    reader.readInteger(berTag.integer);
    reader.readInteger(berTag.integer);
    const varbinds = readVarbinds(reader, texts, ranges);
    if (!reader.isAtEnd) reader.fail('trailing');
    if (reader.fault !== undefined) return reader.fault;
    this.hint = 'SNMP_WRONG_ANSWER';
    if (!isBulk || varbinds.length > ask) return 'varbinds';
    const { width } = this.#request;
    const { starts, ends } = ranges;
    this.#isMisordered = false;
    for (const [i, varbind] of varbinds.entries()) {
      if (varbind.type === 'endOfMibView') continue;
      const start = this.#request.startOf(from, i);
      if (compareOidBytes(bytes, starts[i]!, ends[i]!, start, 0, start.length) <= 0) {
        // The correct reply may still come; if it does not, repeating the request does not help.
        this.hint = 'SNMP_NOT_INCREASING';
        this.isHopeless = true;
        return 'varbinds';
      }
      const above = i - width;
      if (
        above >= 0 &&
        compareOidBytes(bytes, starts[i]!, ends[i]!, bytes, starts[above]!, ends[above]!) <= 0
      )
        this.#isMisordered = true;
    }
    return undefined;
  }
}
