import { maxNumberBytes, writeCounter, writeFloat } from './number-digits.ts';

/** Large enough that a socket spends little per chunk, and small enough that a chunk is ready within a millisecond. */
const fullBytes = 256 << 10;
/** Room for the line that fills the chunk, and for one more of usual length. */
const spareBytes = 4 << 10;

/** Up to this size a loop is faster than a call into the runtime. */
const loopOctets = 40;

/**
 * Builds text as UTF-8 in chunks: for a socket, or for messages that share one buffer. Write until `isFull`, then `take` or `lend` the
 * chunk.
 */
export class TextBuffer {
  /** The current chunk, written up to `length`. `reserve` and `take` replace it. */
  bytes: Buffer = Buffer.alloc(0);
  length = 0;

  get isFull(): boolean {
    return this.length >= fullBytes;
  }

  /** Makes room for this many more octets. */
  reserve(octets: number): void {
    const wanted = this.length + octets;
    if (wanted <= this.bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(Math.max(fullBytes + spareBytes, 2 * this.bytes.length, wanted));
    this.bytes.copy(wider, 0, 0, this.length);
    this.bytes = wider;
  }

  write(text: string): void {
    this.reserve(maxOctetsPerUnit * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  copy(octets: Uint8Array): void {
    const { length } = octets;
    this.reserve(length);
    const { bytes, length: at } = this;
    if (length > loopOctets) bytes.set(octets, at);
    else for (let i = 0; i < length; i++) bytes[at + i] = octets[i]!;
    this.length = at + length;
  }

  octet(octet: number): void {
    this.reserve(1);
    this.bytes[this.length++] = octet;
  }

  /** Writes all digits of an unsigned 64-bit value. */
  counter(low: number, high: number): void {
    this.reserve(maxNumberBytes);
    this.length = writeCounter(this.bytes, this.length, low, high);
  }

  /** Writes a number as JavaScript does. */
  float(value: number): void {
    this.reserve(maxNumberBytes);
    this.length = writeFloat(this.bytes, this.length, value);
  }

  /** Returns the chunk. It is valid only until the next write, which reuses its memory. */
  lend(): Buffer {
    const lent = this.bytes.subarray(0, this.length);
    this.length = 0;
    return lent;
  }

  /** Returns the chunk, which then belongs to the caller. The next chunk starts empty. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = Buffer.alloc(0);
    this.length = 0;
    return taken;
  }
}

/** UTF-8 needs at most three octets for a UTF-16 unit. */
const maxOctetsPerUnit = 3;
