/** The most that a UDP datagram carries over IPv4. */
export const maxUdpPayloadBytes = 65_507;

/** The varbinds of the current reply, one after the other, in a buffer that is reused. */
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

  /** Adds the varbind in `bytes[start, end)`. Beyond the size of a datagram it is only counted. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const at = this.#length;
    this.#length += end - start;
    this.#count++;
    if (this.#length > maxUdpPayloadBytes) return;
    if (this.#length > this.#bytes.length) this.#grow(at);
    this.#bytes.set(bytes.subarray(start, end), at);
  }

  /** Removes the last varbind; `byteLength` is the length of the list before it. */
  removeLast(byteLength: number): void {
    this.#length = byteLength;
    this.#count--;
  }

  /** Valid until the next change, and only while the list fits into a datagram. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(used: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(this.#length, this.#bytes.length * 2));
    bytes.set(this.#bytes.subarray(0, used));
    this.#bytes = bytes;
  }
}
