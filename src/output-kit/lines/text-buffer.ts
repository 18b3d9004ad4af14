import { maxNumberBytes, writeCounter, writeFloat } from './number-digits.ts';

/** Large enough that a socket spends little per chunk, and small enough that a chunk is ready within a millisecond. */
const fullBytes = 256 << 10;
/** Room for the line that fills the chunk, and for one more of usual length. */
const spareBytes = 4 << 10;

/** Up to this size a loop is faster than a call into the runtime. */
const loopOctets = 40;
/** The same for a text as JSON, which takes two calls. */
const loopUnits = 128;
const [quote, backslash, firstPrintable, lastPrintable] = [0x22, 0x5c, 0x20, 0x7e];
const [digitZero, letterZ] = [0x30, 0x5a];
/** `123Z"`. */
const milliseconds = 5;

/** Batches that are written together are of few seconds. */
const maxSeconds = 64;

/**
 * Builds text as UTF-8 in chunks: for a socket, or for messages that share one buffer. Write until `isFull`, then `take` or `lend` the
 * chunk.
 */
export class TextBuffer {
  /** The current chunk, written up to `length`. `reserve` and `take` replace it. */
  bytes: Buffer = Buffer.alloc(0);
  length = 0;
  /** The beginnings of times. */
  readonly #seconds = new Map<number, Uint8Array>();

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

  /** Writes what another buffer holds. */
  append({ bytes, length }: TextBuffer): void {
    this.reserve(length);
    bytes.copy(this.bytes, this.length, 0, length);
    this.length += length;
  }

  /** Writes a text as JSON. */
  json(text: string): void {
    if (text.length > loopUnits || !this.#writePlain(text)) this.write(JSON.stringify(text));
  }

  /** Writes a text in quotes. Returns false, and writes nothing, when it needs more than that. */
  #writePlain(text: string): boolean {
    const { length } = text;
    this.reserve(length + 2);
    const { bytes } = this;
    let at = this.length;
    bytes[at++] = quote;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < firstPrintable || unit > lastPrintable || unit === quote || unit === backslash) return false;
      bytes[at++] = unit;
    }
    bytes[at++] = quote;
    this.length = at;
    return true;
  }

  /** Writes milliseconds since 1970 as a JSON text in ISO 8601. Times of one second differ in their milliseconds only. */
  time(ms: number): void {
    const second = Math.floor(ms / 1000);
    this.copy(this.#seconds.get(second) ?? this.#keepSecond(second));
    this.reserve(milliseconds);
    const rest = Math.floor(ms) - 1000 * second;
    const { bytes } = this;
    bytes[this.length++] = digitZero + Math.floor(rest / 100);
    bytes[this.length++] = digitZero + (Math.floor(rest / 10) % 10);
    bytes[this.length++] = digitZero + (rest % 10);
    bytes[this.length++] = letterZ;
    bytes[this.length++] = quote;
  }

  #keepSecond(second: number): Uint8Array {
    const text = JSON.stringify(new Date(1000 * second));
    const octets = Buffer.from(text.slice(0, text.indexOf('.') + 1));
    if (this.#seconds.size >= maxSeconds) this.#seconds.clear();
    this.#seconds.set(second, octets);
    return octets;
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
