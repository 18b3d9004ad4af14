import { varint } from './varint.ts';

/** A literal of up to so many bytes has a tag of one byte. */
const maxShortLiteral = 60;
const maxCopy = 64;
const maxNearOffset = 0xffff;

/**
 * Writes Snappy's block format for a caller that knows which bytes repeat and passes them to `copy`. No compressor has to find them, and the
 * plain bytes are never made. Positions count plain bytes.
 * https://github.com/google/snappy/blob/main/format_description.txt
 */
export class SnappyWriter {
  #out = Buffer.allocUnsafe(1 << 16);
  #view = new DataView(this.#out.buffer, this.#out.byteOffset);
  #at = 0;
  /** Where the tag of the current literal is. -1 when there is none. */
  #literalAt = -1;
  #position = 0;

  get position(): number {
    return this.#position;
  }

  byte(value: number): void {
    this.#begin(1);
    this.#out[this.#at++] = value;
  }

  varint(value: number): void {
    if (value < 0x4000) this.#shortVarint(value);
    else this.#longVarint(value);
  }

  bytes(value: Uint8Array): void {
    this.#begin(value.length);
    if (value.length > 24) this.#out.set(value, this.#at);
    else for (let i = 0; i < value.length; i++) this.#out[this.#at + i] = value[i]!;
    this.#at += value.length;
  }

  /** Writes two words, the low one first, as protobuf encodes a double or a fixed64. */
  words(low: number, high: number): void {
    this.#begin(8);
    this.#view.setUint32(this.#at, low, true);
    this.#view.setUint32(this.#at + 4, high, true);
    this.#at += 8;
  }

  double(value: number): void {
    this.#begin(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** Repeats the plain bytes from `position` on. */
  copy(position: number, length: number): void {
    this.#endLiteral();
    this.#reserve(5 * Math.ceil(length / maxCopy));
    const offset = this.#position - position;
    for (let rest = length; rest > 0; rest -= maxCopy) {
      const tag = (Math.min(rest, maxCopy) - 1) << 2;
      if (offset <= maxNearOffset) {
        this.#out[this.#at++] = tag | 2;
        this.#out[this.#at++] = offset & 0xff;
        this.#out[this.#at++] = offset >>> 8;
      } else {
        this.#out[this.#at++] = tag | 3;
        this.#view.setUint32(this.#at, offset, true);
        this.#at += 4;
      }
    }
    this.#position += length;
  }

  /** Returns the block of everything that the `writers` have written, one after the other. Nothing may be written after it. */
  static finish(...writers: readonly SnappyWriter[]): Buffer {
    const length = writers.reduce((sum, { position }) => sum + position, 0);
    for (const writer of writers) writer.#endLiteral();
    return Buffer.concat([
      Buffer.from(varint(length)),
      ...writers.map((writer) => writer.#out.subarray(0, writer.#at)),
    ]);
  }

  #shortVarint(value: number): void {
    const length = value < 0x80 ? 1 : 2;
    this.#begin(length);
    if (length === 2) this.#out[this.#at++] = (value & 0x7f) | 0x80;
    this.#out[this.#at++] = value >>> (7 * (length - 1));
  }

  #longVarint(value: number): void {
    const bytes = varint(value);
    this.#begin(bytes.length);
    for (const byte of bytes) this.#out[this.#at++] = byte;
  }

  /** Makes room for `count` bytes of a literal, and counts them. */
  #begin(count: number): void {
    this.#reserve(count + 6);
    if (this.#literalAt === -1) this.#literalAt = this.#at++;
    this.#position += count;
  }

  #endLiteral(): void {
    if (this.#literalAt === -1) return;
    const at = this.#literalAt;
    const length = this.#at - at - 1;
    this.#literalAt = -1;
    if (length <= maxShortLiteral) {
      this.#out[at] = (length - 1) << 2;
      return;
    }
    const extra = length <= 0x100 ? 1 : length <= 0x10000 ? 2 : 4;
    this.#reserve(extra);
    this.#out.copyWithin(at + 1 + extra, at + 1, this.#at);
    this.#out[at] = (59 + extra) << 2;
    this.#out.writeUIntLE(length - 1, at + 1, extra);
    this.#at += extra;
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#out.length) return;
    const out = Buffer.allocUnsafe(Math.max(2 * this.#out.length, this.#at + count));
    this.#out.copy(out, 0, 0, this.#at);
    this.#out = out;
    this.#view = new DataView(out.buffer, out.byteOffset);
  }
}
