/** No UDP datagram carries more. */
const maxBytes = 0x10000;

/** The varbinds of the reply that is being made, one behind the other, in a buffer that is used again and again. */
export class VarbindList {
  #bytes = Buffer.allocUnsafeSlow(2048);
  #length = 0;
  #count = 0;

  get byteLength(): number {
    return this.#length;
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#length = 0;
    this.#count = 0;
  }

  /** Adds the varbind in `bytes[start, end)`; false when the list would be too long for any datagram. */
  add(bytes: Uint8Array, start: number, end: number): boolean {
    const needed = this.#length + end - start;
    if (needed > maxBytes) return false;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#bytes.set(bytes.subarray(start, end), this.#length);
    this.#length = needed;
    this.#count++;
    return true;
  }

  /** Takes the last varbind away again; `byteLength` is what the list had before it. */
  removeLast(byteLength: number): void {
    this.#length = byteLength;
    this.#count--;
  }

  /** Valid until the next change. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    bytes.set(this.view());
    this.#bytes = bytes;
  }
}
