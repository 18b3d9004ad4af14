/** Writes protobuf from the end to the beginning, so that the length of a message is known when its head is written. */
export class ReverseWriter {
  #buffer = Buffer.allocUnsafe(1 << 16);
  #view = new DataView(this.#buffer.buffer, this.#buffer.byteOffset);
  #at = this.#buffer.length;

  /** Writes a message or a list with its tag and length. `write` writes its fields, the last one first. */
  message(field: number, write: () => void): void {
    const end = this.size;
    write();
    this.close(field, end);
  }

  /** Makes a message of everything written since the size was `end`. For loops in which a function per message costs too much. */
  close(field: number, end: number): void {
    this.varint(this.size - end);
    this.varint((field << 3) | 2);
  }

  /** Writes encoded fields, with their tags. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#at -= bytes.length;
    this.#buffer.set(bytes, this.#at);
  }

  text(field: number, text: string): void {
    const end = this.size;
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#at -= length;
    this.#buffer.write(text, this.#at);
    this.close(field, end);
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

  /** Writes a fixed64 or sfixed64. */
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

  /** Number of bytes written. */
  get size(): number {
    return this.#buffer.length - this.#at;
  }

  varint(value: number): void {
    let length = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
    this.#reserve(length);
    this.#at -= length;
    let rest = value;
    for (let i = 1; i < length; i++) {
      this.#buffer[this.#at + i - 1] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#at + length - 1] = rest;
  }

  #reserve(count: number): void {
    if (this.#at >= count) return;
    const size = this.size;
    const buffer = Buffer.allocUnsafe(2 * (this.#buffer.length + count));
    this.#buffer.copy(buffer, buffer.length - size, this.#at);
    this.#buffer = buffer;
    this.#view = new DataView(buffer.buffer, buffer.byteOffset);
    this.#at = buffer.length - size;
  }
}
