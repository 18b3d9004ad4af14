import { saltBytes } from './scoped-pdu-cipher.ts';

/**
 * Gives every message of the process a different salt, for all keys: a 64-bit counter with a random start, as in RFC 3826
 * §3.1.2.1. DES uses the same counter: RFC 3414 §8.1.1.1 only requires that the salt never repeats.
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
