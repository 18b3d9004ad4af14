import { saltBytes } from './scoped-pdu-cipher.ts';

/**
 * Gives every message of the process another salt, whatever its key: a counter of 64 bits with a random start, as
 * RFC 3826 §3.1.2.1 wants it. DES takes the same one: RFC 3414 §8.1.1.1 asks for nothing but that it never repeats.
 */
export class SaltSource {
  readonly #next: Buffer;

  /** @param seed eight random octets */
  constructor(seed: Uint8Array) {
    this.#next = Buffer.from(seed.subarray(0, saltBytes));
  }

  take(): Buffer {
    const salt = Buffer.from(this.#next);
    for (let at = saltBytes - 1; at >= 0; at--) {
      this.#next[at]!++;
      if (this.#next[at] !== 0) break;
    }
    return salt;
  }
}
