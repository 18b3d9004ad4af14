import { type Cipher, createCipheriv } from 'node:crypto';

const blockBytes = 16;
/** A new cipher costs as much as decrypting a message does; one that is kept, about a kilobyte. */
const maxCiphers = 4096;

/**
 * AES in CFB mode, decryption only. Every block is the encryption of the encrypted block before it, XOR the block itself
 * (NIST SP 800-38A §6.3): all inputs are known at once, so that one call in ECB mode gives the whole key stream, and its
 * cipher, which needs no initialisation vector, serves all messages of a key.
 */
export class CfbDecryptor {
  readonly #ciphers = new Map<Uint8Array, Cipher>();
  #words = new Uint32Array(512);

  /** @param key the same object for the same key, of 16, 24 or 32 octets */
  decrypt(key: Uint8Array, vector: Uint8Array, encrypted: Uint8Array): Buffer {
    const blocks = Math.ceil(encrypted.length / blockBytes);
    if ((blocks + 1) * 4 > this.#words.length) this.#words = new Uint32Array((blocks + 1) * 8);
    const words = this.#words;
    const chained = Buffer.from(words.buffer);
    chained.set(vector);
    chained.set(encrypted, blockBytes);
    const plain = this.#cipherOf(key).update(chained.subarray(0, blocks * blockBytes));
    const plainWords = new Uint32Array(plain.buffer, plain.byteOffset, blocks * 4);
    for (let i = 0; i < plainWords.length; i++) plainWords[i]! ^= words[i + 4]!;
    return plain.subarray(0, encrypted.length);
  }

  #cipherOf(key: Uint8Array): Cipher {
    const known = this.#ciphers.get(key);
    if (known !== undefined) return known;
    const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
    if (this.#ciphers.size >= maxCiphers) this.#ciphers.delete(this.#ciphers.keys().next().value!);
    this.#ciphers.set(key, cipher);
    return cipher;
  }
}
