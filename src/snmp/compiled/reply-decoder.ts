import { type DecodeTally, newDecodeTally } from '../codec/decode-fault.ts';
import type { CompiledRequest } from './compiled-request.ts';
import type { PollColumns } from './poll-columns.ts';

/** What stopped the decoder. */
export type StopCause = 'end' | 'mismatch' | 'malformed' | 'surplus';

/**
 * Decodes VarBindLists straight into columns. Allocates nothing but strings whose octets have changed. Made for speed:
 * positions in locals, no calls in the loop but for texts.
 */
export class ReplyDecoder {
  /** Varbinds that stood where they were expected; their slots are written. */
  matched = 0;
  cause: StopCause = 'end';
  /** Whether one of them holds noSuchObject, noSuchInstance or endOfMibView. */
  hasExceptions = false;
  errorStatus = 0;
  errorIndex = 0;
  readonly #tally: DecodeTally;

  constructor(tally: DecodeTally = newDecodeTally()) {
    this.#tally = tally;
  }

  /**
   * Decodes the body of a Response PDU, `bytes[start, end)` from error-status on, expecting varbind `from` of the request
   * and its followers, `ask` of them.
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
    bytes: Buffer,
    start: number,
    end: number,
    request: CompiledRequest,
    from: number,
    ask: number,
    columns: PollColumns,
  ): void {
    const { expected, offsets, slots } = request;
    const { words, status, texts } = columns;
    const last = from + ask;
    let at = start;
    let index = from;
    while (at < end) {
      if (index === last) {
        this.cause = 'surplus';
        break;
      }
      // Every element of a varbind on this road is short: a length of more than one octet is seen below.
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
      let expectedAt = offsets[index]!;
      const expectedEnd = offsets[index + 1]!;
      let isExpected = length === expectedEnd - expectedAt;
      for (let i = at; isExpected && expectedAt < expectedEnd; i++, expectedAt++) {
        isExpected = bytes[i] === expected[expectedAt];
      }
      if (!isExpected) {
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
          let low = 0;
          for (; at < varbindEnd; at++) low = (low << 8) | bytes[at]!;
          words[2 * slot] = low;
          words[2 * slot + 1] = 0;
          break;
        }
        case 0x02:
        case 0x46: {
          if (length > 8 && (length > 9 || tag === 0x02 || bytes[at] !== 0)) return;
          if (length === 0) this.#tally.emptyIntegers++;
          let high = tag === 0x02 && length > 0 && bytes[at]! > 0x7f ? -1 : 0;
          let low = high;
          for (; varbindEnd - at > 4; at++) high = (high << 8) | bytes[at]!;
          for (; at < varbindEnd; at++) low = (low << 8) | bytes[at]!;
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
            texts[slot] = bytes.toString('latin1', at, varbindEnd);
          at = varbindEnd;
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
      status[slot] = tag;
      index++;
    }
    if (at === end) this.cause = 'end';
    this.matched = index - from;
  }
}

function isText(text: string | undefined, bytes: Buffer, start: number, end: number): boolean {
  if (text === undefined || text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
