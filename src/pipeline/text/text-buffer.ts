import { maxNumberBytes, writeCounter, writeFloat } from './number-digits.ts';

/** Large enough that a chunk costs a socket little; one is made within a millisecond, which holds nobody up. */
const fullBytes = 256 << 10;
/** Room for the line that makes a chunk full, and the one of a usual length behind it. */
const spareBytes = 4 << 10;

/** A call of the runtime costs more than so few octets. */
const fewOctets = 40;

/** Text as octets, in chunks: for a socket, or for messages that share one. */
export class TextBuffer {
  /** Written up to `length`; another one after `reserve` and `take`. */
  bytes: Buffer = Buffer.alloc(0);
  length = 0;

  get isFull(): boolean {
    return this.length >= fullBytes;
  }

  /** Makes room for so many octets more. */
  reserve(octets: number): void {
    const wanted = this.length + octets;
    if (wanted <= this.bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(Math.max(fullBytes + spareBytes, 2 * this.bytes.length, wanted));
    this.bytes.copy(wider, 0, 0, this.length);
    this.bytes = wider;
  }

  write(text: string): void {
    this.reserve(maxOctetsAUnit * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  copy(octets: Uint8Array): void {
    const { length } = octets;
    this.reserve(length);
    const { bytes, length: at } = this;
    if (length > fewOctets) bytes.set(octets, at);
    else for (let i = 0; i < length; i++) bytes[at + i] = octets[i]!;
    this.length = at + length;
  }

  octet(octet: number): void {
    this.reserve(1);
    this.bytes[this.length++] = octet;
  }

  /** All digits of an unsigned 64-bit value. */
  counter(low: number, high: number): void {
    this.reserve(maxNumberBytes);
    this.length = writeCounter(this.bytes, this.length, low, high);
  }

  /** A number as JavaScript writes it. */
  float(value: number): void {
    this.reserve(maxNumberBytes);
    this.length = writeFloat(this.bytes, this.length, value);
  }

  /** The chunk, for as long as nothing is written: the next one is made in the same memory. */
  lend(): Buffer {
    const lent = this.bytes.subarray(0, this.length);
    this.length = 0;
    return lent;
  }

  /** The chunk, which is the caller's from now on; the next one is empty. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = Buffer.alloc(0);
    this.length = 0;
    return taken;
  }
}

/** UTF-8 has at most so many for a unit of UTF-16. */
const maxOctetsAUnit = 3;
