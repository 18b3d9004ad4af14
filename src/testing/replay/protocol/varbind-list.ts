/** The varbinds of the reply that is being made, one behind the other, in a buffer that is used again and again. */
export class VarbindList {
  readonly #bytes = Buffer.allocUnsafeSlow(0x20000);
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
    if (this.#length + end - start > this.#bytes.length) return false;
    this.#bytes.set(bytes.subarray(start, end), this.#length);
    this.#length += end - start;
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
}
