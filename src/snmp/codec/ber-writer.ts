import { berTag } from './ber-tag.ts';

/**
 * Writes BER from the end towards the start, so that every length is known when its header is written: write
 * the last element first. A container is `const end = writer.mark(); …contents, last first…; writer.header(tag, end)`.
 */
export class BerWriter {
  #bytes: Buffer;
  #at: number;

  constructor(capacity = 2048) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
    this.#at = capacity;
  }

  /** How many octets have been written. */
  get size(): number {
    return this.#bytes.length - this.#at;
  }

  reset(): this {
    this.#at = this.#bytes.length;
    return this;
  }

  /** A copy of what has been written. */
  toBuffer(): Buffer {
    return Buffer.from(this.#bytes.subarray(this.#at));
  }

  /** What has been written, valid until the next write or reset. */
  view(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** The current size: pass it to `header` after the contents. */
  mark(): number {
    return this.size;
  }

  /** Puts tag and length in front of everything written since `mark`. */
  header(tag: number, mark: number): void {
    const length = this.size - mark;
    this.#reserve(6);
    let rest = length;
    if (length > 0x7f) {
      let octets = 0;
      for (; rest > 0; rest = Math.floor(rest / 256), octets++) this.#bytes[--this.#at] = rest;
      rest = 0x80 | octets;
    }
    this.#bytes[--this.#at] = rest;
    this.#bytes[--this.#at] = tag;
  }

  /** Unchanged octets, without a header. */
  raw(octets: Uint8Array): void {
    this.#reserve(octets.length);
    this.#at -= octets.length;
    this.#bytes.set(octets, this.#at);
  }

  octets(tag: number, content: Uint8Array): void {
    const mark = this.mark();
    this.raw(content);
    this.header(tag, mark);
  }

  /** An element without content: Null and the exceptions. */
  empty(tag: number): void {
    this.header(tag, this.mark());
  }

  /** Any safe integer in the fewest octets of two's complement. */
  integer(value: number, tag: number = berTag.integer): void {
    const mark = this.mark();
    this.#reserve(9);
    let rest = value;
    let octet: number;
    do {
      octet = rest & 0xff;
      this.#bytes[--this.#at] = octet;
      rest = Math.floor(rest / 256);
    } while (octet > 0x7f ? rest !== -1 : rest !== 0);
    this.header(tag, mark);
  }

  /** A bigint of 64 bits, signed or not. */
  bigInteger(value: bigint, tag: number): void {
    const mark = this.mark();
    this.#reserve(9);
    let rest = value;
    let octet: number;
    do {
      octet = Number(rest & 0xffn);
      this.#bytes[--this.#at] = octet;
      rest >>= 8n;
    } while (octet > 0x7f ? rest !== -1n : rest !== 0n);
    this.header(tag, mark);
  }

  #reserve(octets: number): void {
    if (octets <= this.#at) return;
    const used = this.view();
    const bytes = Buffer.allocUnsafeSlow((this.#bytes.length + octets) * 2);
    this.#at = bytes.length - used.length;
    bytes.set(used, this.#at);
    this.#bytes = bytes;
  }
}
