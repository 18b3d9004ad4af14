/** Writes protobuf from its end to its beginning, so that the length of a message is known when its head is written. */
export class ReverseWriter {
  #buffer = Buffer.allocUnsafe(1 << 16);
  #view = new DataView(this.#buffer.buffer, this.#buffer.byteOffset);
  #at = this.#buffer.length;

  /** A message or a list, with its tag and length; `write` writes what is in it, the last field first. */
  message(field: number, write: () => void): void {
    const before = this.#size;
    write();
    this.varint(this.#size - before);
    this.varint((field << 3) | 2);
  }

  /** Bytes that were made before, with their tags. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#at -= bytes.length;
    this.#buffer.set(bytes, this.#at);
  }

  text(field: number, text: string): void {
    this.raw(Buffer.from(text));
    this.varint(Buffer.byteLength(text));
    this.varint((field << 3) | 2);
  }

  number(field: number, value: number): void {
    this.varint(value);
    this.varint(field << 3);
  }

  double(field: number, value: number): void {
    this.#reserve(8);
    this.#at -= 8;
    this.#view.setFloat64(this.#at, value, true);
    this.varint((field << 3) | 1);
  }

  /** A fixed64 or sfixed64. */
  words(field: number, low: number, high: number): void {
    this.#reserve(8);
    this.#at -= 8;
    this.#view.setUint32(this.#at, low, true);
    this.#view.setUint32(this.#at + 4, high, true);
    this.varint((field << 3) | 1);
  }

  finish(): Buffer {
    return this.#buffer.subarray(this.#at);
  }

  get #size(): number {
    return this.#buffer.length - this.#at;
  }

  varint(value: number): void {
    this.#reserve(10);
    const groups: number[] = [];
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) groups.push((rest % 0x80) | 0x80);
    this.#buffer[--this.#at] = rest;
    for (let i = groups.length - 1; i >= 0; i--) this.#buffer[--this.#at] = groups[i]!;
  }

  #reserve(count: number): void {
    if (this.#at >= count) return;
    const size = this.#size;
    const buffer = Buffer.allocUnsafe(2 * (this.#buffer.length + count));
    this.#buffer.copy(buffer, buffer.length - size, this.#at);
    this.#buffer = buffer;
    this.#view = new DataView(buffer.buffer, buffer.byteOffset);
    this.#at = buffer.length - size;
  }
}
