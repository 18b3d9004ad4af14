import { type Cipher, createCipheriv } from 'node:crypto';

const blockBytes = 16;
/** A key that is kept costs about two kilobytes. */
const maxKeys = 4096;

/** What is kept of a key: the bare cipher, and a stream in CFB mode with the last block that came out of it. */
interface KeyState {
  readonly blocks: Cipher;
  readonly stream: Cipher;
  last: Buffer;
}

/**
 * AES in CFB mode, where every block is XORed with the encryption of the encrypted block before it (NIST SP 800-38A
 * §6.3). The ciphers of a key serve all its messages: a new object of node:crypto for each would cost more than the
 * encryption, and again as much when it is collected.
 */
export class AesCfb {
  readonly #states = new Map<Uint8Array, KeyState>();
  #words = new Uint32Array(512);

  /**
   * The stream is made to start anew by one block in front, chosen so that it becomes the initialisation vector.
   *
   * @param key the same object for the same key, of 16, 24 or 32 octets
   */
  encrypt(key: Uint8Array, vector: Uint8Array, plain: Uint8Array): Buffer {
    const state = this.#stateOf(key);
    const blocks = Math.ceil(plain.length / blockBytes);
    const input = this.#reserve(blocks + 1);
    input.set(plain, blockBytes);
    const first = state.blocks.update(state.last);
    for (let i = 0; i < blockBytes; i++) input[i] = first[i]! ^ vector[i]!;
    const output = state.stream.update(input);
    state.last = output.subarray(-blockBytes);
    return output.subarray(blockBytes, blockBytes + plain.length);
  }

  /** All inputs of the cipher are known at once, so that one call in ECB mode gives the whole key stream. */
  decrypt(key: Uint8Array, vector: Uint8Array, encrypted: Uint8Array): Buffer {
    const blocks = Math.ceil(encrypted.length / blockBytes);
    const chained = this.#reserve(blocks + 1);
    chained.set(vector);
    chained.set(encrypted, blockBytes);
    const plain = this.#stateOf(key).blocks.update(chained.subarray(0, blocks * blockBytes));
    const plainWords = new Uint32Array(plain.buffer, plain.byteOffset, blocks * 4);
    const words = this.#words;
    for (let i = 0; i < plainWords.length; i++) plainWords[i]! ^= words[i + 4]!;
    return plain.subarray(0, encrypted.length);
  }

  #reserve(blocks: number): Buffer {
    if (blocks * 4 > this.#words.length) this.#words = new Uint32Array(blocks * 8);
    return Buffer.from(this.#words.buffer, 0, blocks * blockBytes);
  }

  #stateOf(key: Uint8Array): KeyState {
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const bits = key.length * 8;
    const last = Buffer.alloc(blockBytes);
    const state = {
      blocks: createCipheriv(`aes-${bits}-ecb`, key, null).setAutoPadding(false),
      stream: createCipheriv(`aes-${bits}-cfb`, key, last),
      last,
    };
    if (this.#states.size >= maxKeys) this.#states.delete(this.#states.keys().next().value!);
    this.#states.set(key, state);
    return state;
  }
}
