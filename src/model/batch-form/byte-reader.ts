import { BatchFault } from './batch-fault.ts';

/** Reads what a ByteWriter wrote. Throws a BatchFault, and nothing else, for damaged bytes. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    if (this.remaining < 1) throw new BatchFault('The bytes end too early.');
    return this.#bytes[this.#at++]!;
  }

  varint(): number {
    const first = this.#bytes[this.#at];
    // Most integers are small.
    if (first !== undefined && first < 0x80) {
      this.#at++;
      return first;
    }
    let value = 0;
    for (let scale = 1; scale < 2 ** 53; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
    }
    throw new BatchFault('An integer is too long.');
  }

  skip(length: number): void {
    if (length > this.remaining) throw new BatchFault('The bytes end too early.');
    this.#at += length;
  }

  /** Goes on behind so many integers without reading them. */
  skipVarints(count: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let left = count; left > 0; at++) {
      if (at >= bytes.length) throw new BatchFault('The bytes end too early.');
      if (bytes[at]! < 0x80) left--;
    }
    this.#at = at;
  }

  /** A count of items that take at least one byte each. Refused when it is greater than the number of bytes that remain. */
  count(): number {
    const count = this.varint();
    if (count > this.remaining) throw new BatchFault('A count is larger than what follows.');
    return count;
  }

  bytes(length: number): Buffer {
    this.skip(length);
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  end(): void {
    if (this.remaining > 0) throw new BatchFault('The bytes continue after the end of the batch.');
  }
}
