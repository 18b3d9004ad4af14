import { berTag } from '../../../snmp/codec/ber-tag.ts';
import type { BerWriter } from '../../../snmp/codec/ber-writer.ts';
import { lastArcStart } from '../../../snmp/codec/oid-before.ts';
import { type ErrorStatus, errorStatuses } from '../../../snmp/codec/pdu.ts';
import type { DeviceView } from '../device-view.ts';
import { writeVarbind } from '../recording/recording-builder.ts';
import type { ReplayRequest } from './replay-request.ts';
import { VarbindList } from './varbind-list.ts';

/** What a reply may contain. */
export interface ReplyLimits {
  /** For the varbinds alone. */
  readonly maxBytes: number;
  readonly maxVarbinds: number;
}

/** Answers request PDUs from a device, by the rules of RFC 3416 §4.2 and, for v1, of RFC 1157 §4.1 and RFC 2576 §4.2. */
export class PduResponder {
  readonly #list = new VarbindList();
  readonly #writer: BerWriter;

  /** The reply is written to `writer`, before its present content. */
  constructor(writer: BerWriter) {
    this.#writer = writer;
  }

  /** Writes the Response PDU; returns false when the request gets none. */
  answer(request: ReplayRequest, isV1: boolean, view: DeviceView, limits: ReplyLimits): boolean {
    this.#list.clear();
    view.hangs = false;
    let missing = 0;
    switch (request.type) {
      case berTag.getRequest:
        missing = this.#get(request, isV1, view);
        break;
      case berTag.getNextRequest:
        missing = this.#getNext(request, isV1, view);
        break;
      case berTag.getBulkRequest:
        this.#getBulk(request, isV1, view, limits);
        break;
      case berTag.setRequest:
        this.#set(request, isV1);
        return true;
      default:
        return false;
    }
    if (view.hangs) return false;
    if (missing > 0) this.#fail(request, 'noSuchName', missing, true);
    else if (this.#isTooBig(limits)) this.#fail(request, 'tooBig', 0, isV1);
    else {
      this.#writer.reset().raw(this.#list.view());
      this.#finish(request, 'noError', 0);
    }
    return true;
  }

  /** The index of the varbind that v1 cannot answer, else 0. */
  #get(request: ReplayRequest, isV1: boolean, view: DeviceView): number {
    for (let i = 0; i < request.count; i++) {
      const position = view.find(request.bytes, request.nameStart(i), request.nameEnd(i));
      const isServed = position !== undefined && !(isV1 && isUnknownToV1(view.tagOf(position)));
      if (isServed) view.addTo(this.#list, position);
      else if (isV1) return i + 1;
      else this.#addException(request, i, missingTag(request, i, view));
    }
    return 0;
  }

  /** A recording cannot be written: it refuses what has no value, then everything, as net-snmp does for a read-only community. */
  #set(request: ReplayRequest, isV1: boolean): void {
    const isValueless = (index: number) => valueless.has(request.valueTag(index));
    const without = Array.from({ length: request.count }, (_, index) => index).findIndex(isValueless) + 1;
    if (without > 0) this.#fail(request, isV1 ? 'badValue' : 'wrongType', without, true);
    else if (request.count > 0) this.#fail(request, isV1 ? 'noSuchName' : 'noAccess', 1, true);
    else this.#fail(request, 'noError', 0, true);
  }

  #getNext(request: ReplayRequest, isV1: boolean, view: DeviceView): number {
    const { size } = view.recording;
    for (let i = 0; i < request.count; i++) {
      const position = firstKnown(
        view,
        view.after(request.bytes, request.nameStart(i), request.nameEnd(i)),
        isV1,
      );
      if (position < size) view.addTo(this.#list, position);
      else if (isV1) return i + 1;
      else this.#addException(request, i, berTag.endOfMibView);
    }
    return 0;
  }

  #getBulk(request: ReplayRequest, isV1: boolean, view: DeviceView, limits: ReplyLimits): void {
    const { size } = view.recording;
    const nonRepeaters = Math.min(request.nonRepeaters, request.count);
    const repeaters = request.count - nonRepeaters;
    const positions = Array.from({ length: request.count }, (_, i) =>
      firstKnown(view, view.after(request.bytes, request.nameStart(i), request.nameEnd(i)), isV1),
    );
    /** The last position of each column, whose OID its endOfMibView repeats; -1 for the name in the request. */
    const previous = new Array<number>(request.count).fill(-1);
    const add = (column: number): boolean => {
      const position = positions[column]!;
      const before = this.#list.byteLength;
      if (position >= size) this.#addEnd(request, column, previous[column]!, view);
      else {
        view.addTo(this.#list, position);
        previous[column] = position;
        positions[column] = firstKnown(view, view.following(position), isV1);
      }
      if (!this.#isTooBig(limits)) return true;
      this.#list.removeLast(before);
      return false;
    };
    for (let column = 0; column < nonRepeaters; column++) if (!add(column)) return;
    for (let repetition = 0; repetition < request.maxRepetitions && repeaters > 0; repetition++) {
      let isAtEnd = true;
      for (let column = nonRepeaters; column < request.count; column++) {
        isAtEnd &&= positions[column]! >= size;
        if (!add(column)) return;
      }
      // RFC 3416 §4.2.3 lets the reply end with a repetition of nothing but endOfMibView.
      if (isAtEnd) return;
    }
  }

  #addEnd(request: ReplayRequest, column: number, previous: number, view: DeviceView): void {
    const { entries } = view.recording;
    if (previous < 0) this.#addException(request, column, berTag.endOfMibView);
    else {
      const [start, end] = [view.recording.oidStartOf(previous), view.recording.oidEndOf(previous)];
      this.#addEmpty(entries.subarray(start, end), berTag.endOfMibView);
    }
  }

  #addException(request: ReplayRequest, index: number, tag: number): void {
    this.#addEmpty(request.bytes.subarray(request.nameStart(index), request.nameEnd(index)), tag);
  }

  /** Uses the reply's own writer: it is reset before the reply is written. */
  #addEmpty(oid: Uint8Array, tag: number): void {
    writeVarbind(this.#writer.reset(), oid, tag, nothing);
    this.#list.add(this.#writer.view(), 0, this.#writer.size);
  }

  #isTooBig(limits: ReplyLimits): boolean {
    return this.#list.byteLength > limits.maxBytes || this.#list.count > limits.maxVarbinds;
  }

  /** A v1 error repeats the varbinds of the request; v2c leaves them out of tooBig (RFC 3416 §4.2.1). */
  #fail(request: ReplayRequest, status: ErrorStatus, index: number, repeatsRequest: boolean): void {
    const writer = this.#writer.reset();
    if (repeatsRequest) request.writeVarbinds(writer);
    this.#finish(request, status, index);
  }

  /** Puts what an answer begins with in front of its varbinds. */
  #finish(request: ReplayRequest, status: ErrorStatus, index: number): void {
    const writer = this.#writer;
    writer.header(berTag.sequence, 0);
    writer.integer(index);
    writer.integer(errorStatuses.indexOf(status));
    writer.integer(request.requestId);
    writer.header(berTag.response, 0);
  }
}

const nothing = new Uint8Array(0);

/** Tags without a value, which no SET may contain. */
const valueless: ReadonlySet<number> = new Set([
  berTag.null,
  berTag.noSuchObject,
  berTag.noSuchInstance,
  berTag.endOfMibView,
]);

/** For v1, the first position from this one on that v1 can express. Bounded, because a jump may lead back to a range without any. */
function firstKnown(view: DeviceView, from: number, isV1: boolean): number {
  const { size } = view.recording;
  let position = from;
  for (let steps = 0; isV1 && position < size && steps < size; steps++) {
    if (!isUnknownToV1(view.tagOf(position))) break;
    position = view.following(position);
  }
  return position;
}

/** RFC 2576 §4.2.2.1: Counter64 and the exceptions do not exist in v1. */
function isUnknownToV1(tag: number): boolean {
  return tag === berTag.counter64 || tag >= berTag.noSuchObject;
}

/** noSuchInstance when the recording contains another instance below the same parent. */
function missingTag(request: ReplayRequest, index: number, view: DeviceView): number {
  const start = request.nameStart(index);
  const end = lastArcStart(request.bytes, start, request.nameEnd(index));
  if (end <= start) return berTag.noSuchObject;
  const [first, last] = view.recording.rangeUnder(request.bytes.subarray(start, end));
  return last > first ? berTag.noSuchInstance : berTag.noSuchObject;
}
