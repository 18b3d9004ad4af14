import { createHash, hash } from 'node:crypto';
import type { AuthProtocol, PrivProtocol } from '../../../model/v3-protocols.ts';

/** RFC 3414 §A.2: the secret repeated to this many octets. */
const stretchedBytes = 1_048_576;
const blockBytes = 65_536;

/** Ku of RFC 3414 §2.6, the digest of the repeated secret: about a millisecond of work. */
export function deriveMasterKey(auth: AuthProtocol, secret: Uint8Array): Buffer {
  const block = Buffer.alloc(secret.length * Math.ceil(blockBytes / secret.length), secret);
  const digest = createHash(auth.hash);
  let rest = stretchedBytes;
  for (; rest > block.length; rest -= block.length) digest.update(block);
  return digest.update(block.subarray(0, rest)).digest();
}

/** Kul of RFC 3414 §2.6: the master key localized to one engine. */
export function localizeKey(auth: AuthProtocol, masterKey: Uint8Array, engineId: Uint8Array): Buffer {
  return createHash(auth.hash).update(masterKey).update(engineId).update(masterKey).digest();
}

/** The localized key, extended to the length that the privacy protocol needs. */
export function extendKey(
  auth: AuthProtocol,
  priv: PrivProtocol,
  localizedKey: Buffer,
  engineId: Uint8Array,
): Buffer {
  let key = localizedKey;
  let last = localizedKey;
  while (key.length < priv.keyBytes) {
    last =
      priv.extension === 'reeder'
        ? localizeKey(auth, deriveMasterKey(auth, last), engineId)
        : hash(auth.hash, key, 'buffer');
    key = Buffer.concat([key, last]);
  }
  return key.subarray(0, priv.keyBytes);
}
