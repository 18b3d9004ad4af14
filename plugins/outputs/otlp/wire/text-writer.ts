/** Collects texts as UTF-8 in one buffer, so that a large body is never a large string, or a tree of small ones. */
export class TextWriter {
  #buffer = Buffer.allocUnsafe(1 << 16);
  #at = 0;

  write(text: string): void {
    this.#reserve(Buffer.byteLength(text));
    this.#at += this.#buffer.write(text, this.#at);
  }

  finish(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#buffer.length) return;
    const buffer = Buffer.allocUnsafe(2 * (this.#buffer.length + count));
    this.#buffer.copy(buffer, 0, 0, this.#at);
    this.#buffer = buffer;
  }
}
