import { type Cipher, createCipheriv } from 'node:crypto';

const blockBytes = 16;
/** Each cached key takes about two kilobytes. */
const maxKeys = 4096;

/** The cached state of a key: the plain cipher, and a stream in CFB mode with its last output block. */
interface KeyState {
  readonly blocks: Cipher;
  readonly stream: Cipher;
  last: Buffer;
}

/**
 * AES in CFB mode, where every block is XORed with the encryption of the previous encrypted block (NIST SP 800-38A §6.3).
 * All messages of a key share its ciphers: a new object of node:crypto per message costs more than the encryption, and as
 * much again when it is garbage-collected.
 */
export class AesCfb {
  readonly #states = new Map<Uint8Array, KeyState>();
  #words = new Uint32Array(512);

  /**
   * One block in front of the message restarts the stream: its encryption is the initialization vector.
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

  /** All inputs of the cipher are known, so that one call in ECB mode returns the whole key stream. */
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
