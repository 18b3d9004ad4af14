import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { PrivProtocol } from '../../../model/v3-protocols.ts';
import { AesCfb } from './aes-cfb.ts';

export const saltBytes = 8;
const desBlockBytes = 8;

/** The input for a message's initialization vector. The salt is the message's privacy parameters. */
export interface CipherSeed {
  readonly boots: number;
  readonly time: number;
  readonly salt: Uint8Array;
}

/** Encrypts and decrypts scoped PDUs (RFC 3414 §8, RFC 3826 §3). */
export class ScopedPduCipher {
  readonly #aes = new AesCfb();

  encrypt(priv: PrivProtocol, key: Uint8Array, seed: CipherSeed, plain: Uint8Array): Buffer {
    if (priv.cipher !== 'des-ede3-cbc') return this.#aes.encrypt(key, aesVector(seed), plain);
    const cipher = createCipheriv(priv.cipher, desKey(key), desVector(key, seed)).setAutoPadding(false);
    // RFC 3414 §8.1.1.2: the padding of the last block may be anything; net-snmp uses the number of missing octets.
    const padded = Buffer.alloc(Math.ceil(plain.length / desBlockBytes) * desBlockBytes, -plain.length & 7);
    padded.set(plain);
    return cipher.update(padded);
  }

  /** Undefined when the octets cannot come from this protocol. With a wrong key the result is noise, not undefined. */
  decrypt(priv: PrivProtocol, key: Uint8Array, seed: CipherSeed, encrypted: Uint8Array): Buffer | undefined {
    if (seed.salt.length !== saltBytes || encrypted.length === 0) return undefined;
    if (priv.cipher !== 'des-ede3-cbc') return this.#aes.decrypt(key, aesVector(seed), encrypted);
    if (encrypted.length % desBlockBytes !== 0) return undefined;
    return createDecipheriv(priv.cipher, desKey(key), desVector(key, seed))
      .setAutoPadding(false)
      .update(encrypted);
  }
}

/** RFC 3826 §3.1.2.1. */
function aesVector(seed: CipherSeed): Buffer {
  const vector = Buffer.allocUnsafe(16);
  vector.writeUInt32BE(seed.boots, 0);
  vector.writeUInt32BE(seed.time, 4);
  vector.set(seed.salt, 8);
  return vector;
}

/** RFC 3414 §8.1.1.1: the second half of the key, changed by the salt. */
function desVector(key: Uint8Array, seed: CipherSeed): Buffer {
  const vector = Buffer.allocUnsafe(desBlockBytes);
  for (let i = 0; i < desBlockBytes; i++) vector[i] = key[desBlockBytes + i]! ^ seed.salt[i]!;
  return vector;
}

/** OpenSSL 3 keeps single DES in its legacy provider; encrypt-decrypt-encrypt with one key is single DES. */
function desKey(key: Uint8Array): Buffer {
  return Buffer.alloc(3 * desBlockBytes, key.subarray(0, desBlockBytes));
}
