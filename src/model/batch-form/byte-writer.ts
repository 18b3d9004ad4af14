/** A buffer that grows as bytes are written. Reuse one writer, so that writing allocates nothing. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity = 4096) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written since the last `clear`; valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** An integer from 0 to 2^53 - 1: seven bits per byte, the lowest first. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  bytes(source: Uint8Array): void {
    this.#reserve(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
  }

  text(text: string, encoding: 'latin1' | 'utf8' | 'utf16le'): void {
    const size = Buffer.byteLength(text, encoding);
    this.#reserve(size);
    this.#bytes.write(text, this.#length, size, encoding);
    this.#length += size;
  }

  /** Room for `size` bytes that the caller fills. */
  take(size: number): Buffer {
    this.#reserve(size);
    this.#length += size;
    return this.#bytes.subarray(this.#length - size, this.#length);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + size));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
