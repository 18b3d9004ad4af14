import { type DecodeTally, newDecodeTally } from '../codec/decode-fault.ts';
import type { CompiledRequest } from './compiled-request.ts';
import type { PollColumns } from './poll-columns.ts';
import { isText, SharedTexts } from './shared-texts.ts';

/** Why the decoder stopped. */
export type StopCause = 'end' | 'mismatch' | 'malformed' | 'surplus';

/**
 * Decodes VarBindLists directly into columns. It allocates only the strings whose octets have changed. It is written for
 * speed: positions are local variables, integers and names are read four octets at a time, and the loop calls functions
 * for names and texts only.
 */
export class ReplyDecoder {
  /** Varbinds that were the expected ones; their slots are written. */
  matched = 0;
  cause: StopCause = 'end';
  /** Whether one of them is noSuchObject, noSuchInstance or endOfMibView. */
  hasExceptions = false;
  errorStatus = 0;
  errorIndex = 0;
  /** A copy of the datagram from which four octets can be read at once: a view of the datagram would cost more. */
  readonly #bytes = new Uint8Array(maxDatagramBytes);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #sharedTexts = new SharedTexts();
  readonly #tally: DecodeTally;

  constructor(tally: DecodeTally = newDecodeTally()) {
    this.#tally = tally;
  }

  /**
   * Decodes the body of a Response PDU, `bytes[start, end)` from error-status on, expecting `ask` varbinds of the request,
   * from number `from` on.
   */
  decode(
    bytes: Buffer,
    start: number,
    end: number,
    request: CompiledRequest,
    from: number,
    ask: number,
    columns: PollColumns,
  ): void {
    this.matched = 0;
    this.hasExceptions = false;
    this.cause = 'malformed';
    const listStart = this.#readHead(bytes, start, end);
    if (listStart < 0) return;
    if (this.errorStatus !== 0) {
      this.cause = 'end';
      return;
    }
    this.#readList(bytes, listStart, end, request, from, ask, columns);
  }

  /** Reads error-status, error-index and the header of the list; returns where its varbinds start, or -1. */
  #readHead(bytes: Buffer, start: number, end: number): number {
    let at = start;
    for (let i = 0; i < 2; i++) {
      if (end - at < 3 || bytes[at] !== 0x02) return -1;
      const length = bytes[at + 1]!;
      if (length === 0 || length > 4 || length > end - at - 2) return -1;
      let value = 0;
      for (let k = 0; k < length; k++) value = value * 256 + bytes[at + 2 + k]!;
      if (i === 0) this.errorStatus = value;
      else this.errorIndex = value;
      at += 2 + length;
    }
    if (end - at < 2 || bytes[at] !== 0x30) return -1;
    let length = bytes[at + 1]!;
    at += 2;
    if (length > 0x7f) {
      let octets = length & 0x7f;
      if (octets === 0 || octets > 4 || octets > end - at) return -1;
      for (length = 0; octets > 0; octets--) length = length * 256 + bytes[at++]!;
    }
    return length === end - at ? at : -1;
  }

  #readList(
    datagram: Buffer,
    start: number,
    end: number,
    request: CompiledRequest,
    from: number,
    ask: number,
    columns: PollColumns,
  ): void {
    const { expectedView: expected, offsets, slots } = request;
    const { words, status, texts } = columns;
    const bytes = this.#bytes;
    const view = this.#view;
    bytes.set(datagram);
    const last = from + ask;
    let at = start;
    let index = from;
    while (at < end) {
      if (index === last) {
        this.cause = 'surplus';
        break;
      }
      // Here every element of a varbind is short: a length of more than one octet is handled below.
      if (end - at < 6 || bytes[at] !== 0x30) return;
      let length = bytes[at + 1]!;
      at += 2;
      if (length > 0x7f) {
        let octets = length & 0x7f;
        if (octets === 0 || octets > 4 || octets > end - at) return;
        for (length = 0; octets > 0; octets--) length = length * 256 + bytes[at++]!;
      }
      if (length > end - at || length < 4) return;
      const varbindEnd = at + length;
      if (bytes[at] !== 0x06) return;
      length = bytes[at + 1]!;
      at += 2;
      if (length > 0x7f) {
        let octets = length & 0x7f;
        if (octets === 0 || octets > 4 || octets > varbindEnd - at) return;
        for (length = 0; octets > 0; octets--) length = length * 256 + bytes[at++]!;
      }
      if (length > varbindEnd - at) return;
      const expectedAt = offsets[index]!;
      if (length !== offsets[index + 1]! - expectedAt || !isEqual(view, at, expected, expectedAt, length)) {
        this.cause = 'mismatch';
        break;
      }
      at += length;
      if (varbindEnd - at < 2) return;
      const tag = bytes[at]!;
      length = bytes[at + 1]!;
      at += 2;
      if (length > 0x7f) {
        let octets = length & 0x7f;
        if (octets === 0 || octets > 4 || octets > varbindEnd - at) return;
        for (length = 0; octets > 0; octets--) length = length * 256 + bytes[at++]!;
      }
      if (length !== varbindEnd - at) return;
      const slot = slots[index]!;
      switch (tag) {
        case 0x41:
        case 0x42:
        case 0x43:
        case 0x47: {
          if (length > 8) return;
          if (length === 0) this.#tally.emptyIntegers++;
          words[2 * slot] = view.getInt32(varbindEnd - 4) & lowMasks[length]!;
          words[2 * slot + 1] = 0;
          break;
        }
        case 0x02:
        case 0x46: {
          if (length > 8 && (length > 9 || tag === 0x02 || bytes[at] !== 0)) return;
          if (length === 0) this.#tally.emptyIntegers++;
          let low = view.getInt32(varbindEnd - 4) & lowMasks[length]!;
          let high = view.getInt32(varbindEnd - 8) & highMasks[length]!;
          if (tag === 0x02 && length > 0 && bytes[at]! > 0x7f) {
            low |= ~lowMasks[length]!;
            high |= ~highMasks[length]!;
          }
          words[2 * slot] = low;
          words[2 * slot + 1] = high;
          break;
        }
        case 0x04:
        case 0x06:
        case 0x40:
        case 0x44:
        case 0x45:
          if (!isText(texts[slot], bytes, at, varbindEnd))
            texts[slot] = this.#sharedTexts.find(datagram, at, varbindEnd);
          break;
        case 0x05:
          if (length !== 0) return;
          break;
        case 0x80:
        case 0x81:
        case 0x82:
          if (length !== 0) return;
          this.hasExceptions = true;
          break;
        default:
          return;
      }
      at = varbindEnd;
      status[slot] = tag;
      index++;
    }
    if (at === end) this.cause = 'end';
    this.matched = index - from;
  }
}

/** The largest number in UDP's length field. */
const maxDatagramBytes = 65_535;

/** Masks by a value's length: which of the four octets before its end belong to it, and which of the four before those. */
const lowMasks = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1, -1);
const highMasks = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1, -1);

/** Compares four octets at a time; the last four overlap those before them. */
function isEqual(a: DataView, startA: number, b: DataView, startB: number, length: number): boolean {
  for (let i = 0; i < length - 4; i += 4) {
    if (a.getInt32(startA + i) !== b.getInt32(startB + i)) return false;
  }
  if (length >= 4) return a.getInt32(startA + length - 4) === b.getInt32(startB + length - 4);
  for (let i = 0; i < length; i++) if (a.getUint8(startA + i) !== b.getUint8(startB + i)) return false;
  return true;
}
