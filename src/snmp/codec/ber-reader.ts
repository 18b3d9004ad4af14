import { type DecodeFault, type DecodeTally, newDecodeTally } from './decode-fault.ts';

/** Where the octets of a 64-bit value become a BigInt without intermediate ones. */
const wide = new DataView(new ArrayBuffer(8));

/**
 * Reads BER by position and allocates nothing. The first fault stays in `fault`, and everything after it reads as empty, so
 * that callers check once at the end. One reader serves many datagrams through `open`.
 */
export class BerReader {
  bytes: Buffer = Buffer.alloc(0);
  position = 0;
  /** Where the current container ends. */
  end = 0;
  /** Length of the content whose header was read last; the content starts at `position`. */
  length = 0;
  fault: DecodeFault | undefined = undefined;
  readonly tally: DecodeTally;
  /** Whether octets after the last element of a message or a PDU are ignored, as agents do. */
  readonly ignoresRest: boolean = false;

  constructor(tally: DecodeTally = newDecodeTally()) {
    this.tally = tally;
  }

  open(bytes: Uint8Array, start = 0, end = bytes.length): this {
    this.bytes =
      bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = start;
    this.end = end;
    this.length = 0;
    this.fault = undefined;
    return this;
  }

  get isAtEnd(): boolean {
    return this.position >= this.end;
  }

  fail(cause: DecodeFault): void {
    this.fault ??= cause;
    this.position = this.end;
    this.length = 0;
  }

  /** Reads tag and length and returns the tag; 0 after a fault. */
  readHeader(): number {
    const { bytes, end } = this;
    let at = this.position;
    if (end - at < 2) return this.#failHeader('length');
    const tag = bytes[at++]!;
    let length = bytes[at++]!;
    if (length > 0x7f) {
      let octets = length & 0x7f;
      if (octets === 0 || octets > 4 || octets > end - at) return this.#failHeader('length');
      for (length = 0; octets > 0; octets--) length = length * 256 + bytes[at++]!;
    }
    // Never `at + length`: a hostile length must not overflow (in a double the sum is exact; the rule is kept anyway).
    if (length > end - at) return this.#failHeader('length');
    this.position = at;
    this.length = length;
    return tag;
  }

  expectHeader(tag: number): void {
    if (this.readHeader() !== tag) this.fail('tag');
  }

  /** Enters a constructed element and returns what `leave` needs. */
  enter(tag: number): number {
    const outerEnd = this.end;
    this.expectHeader(tag);
    this.end = this.position + this.length;
    return outerEnd;
  }

  /** Leaves the element: all of it must have been read. */
  leave(outerEnd: number): void {
    if (this.position !== this.end) this.fail('trailing');
    this.end = outerEnd;
    if (this.fault !== undefined) this.position = outerEnd;
  }

  /** Leaves the outermost element: octets after it are tolerated and counted (RFC 3417 §8 allows them). */
  leaveMessage(outerEnd: number): void {
    if (this.ignoresRest && this.fault === undefined) this.position = this.end;
    this.leave(outerEnd);
    if (this.position !== outerEnd) this.tally.trailingBytes++;
  }

  readInteger(tag: number): number {
    this.expectHeader(tag);
    return this.readSignedContent();
  }

  /** A view of the content, not a copy. */
  readOctets(tag: number): Buffer {
    this.expectHeader(tag);
    return this.readOctetsContent();
  }

  readOctetsContent(): Buffer {
    const { position } = this;
    this.position = position + this.length;
    return this.bytes.subarray(position, this.position);
  }

  /** Two's complement; beyond 2^53 the nearest double. */
  readSignedContent(): number {
    if (!this.#checkInteger(8)) return 0;
    const { bytes } = this;
    const end = this.position + this.length;
    let value = bytes[this.position]! > 0x7f ? -1 : 0;
    for (let at = this.position; at < end; at++) value = value * 256 + bytes[at]!;
    this.position = end;
    return value;
  }

  /** The low 32 bits as unsigned: some agents send five octets, or a negative number. */
  readUnsigned32Content(): number {
    if (!this.#checkInteger(8)) return 0;
    const { bytes } = this;
    const end = this.position + this.length;
    let value = 0;
    for (let at = this.position; at < end; at++) value = (value << 8) | bytes[at]!;
    this.position = end;
    return value >>> 0;
  }

  readUnsigned64Content(): bigint {
    if (!this.#checkInteger(9)) return 0n;
    const { bytes } = this;
    const end = this.position + this.length;
    let high = 0;
    let low = 0;
    let at = this.position;
    for (; end - at > 4; at++) high = (high << 8) | bytes[at]!;
    for (; at < end; at++) low = (low << 8) | bytes[at]!;
    this.position = end;
    if (high === 0) return BigInt(low >>> 0);
    wide.setInt32(0, high);
    wide.setInt32(4, low);
    return wide.getBigUint64(0);
  }

  #checkInteger(maxOctets: number): boolean {
    const { length } = this;
    if (length === 0) {
      if (this.fault === undefined) this.tally.emptyIntegers++;
      return false;
    }
    if (length < 9) return true;
    if (length === maxOctets && this.bytes[this.position] === 0) return true;
    this.fail('integer');
    return false;
  }

  #failHeader(cause: DecodeFault): number {
    this.fail(cause);
    return 0;
  }
}
