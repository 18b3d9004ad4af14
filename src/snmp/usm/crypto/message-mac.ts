import { hash, timingSafeEqual } from 'node:crypto';
import type { AuthProtocol } from '../../../model/v3-protocols.ts';

/**
 * HMAC over whole messages (RFC 2104) as two one-shot digests, which take half the time of an Hmac object. Reuses its
 * buffers: one per socket is enough.
 */
export class MessageMac {
  #work = Buffer.allocUnsafeSlow(2048);
  readonly #computed = Buffer.allocUnsafeSlow(64);

  /** Computes the MAC of a whole message and writes it at `macStart`. */
  sign(auth: AuthProtocol, key: Uint8Array, message: Buffer, macStart: number): void {
    message.write(this.#compute(auth, key, message, macStart), macStart, auth.macBytes, 'hex');
  }

  /** Whether `message[macStart, macEnd)` is the MAC for `key`, in exactly the protocol's length. */
  verify(auth: AuthProtocol, key: Uint8Array, message: Buffer, macStart: number, macEnd: number): boolean {
    if (macEnd - macStart !== auth.macBytes) return false;
    this.#computed.write(this.#compute(auth, key, message, macStart), 'hex');
    return timingSafeEqual(message.subarray(macStart, macEnd), this.#computed.subarray(0, auth.macBytes));
  }

  /** In hexadecimal, which node:crypto returns faster than a Buffer. The MAC field counts as zeroes. */
  #compute(auth: AuthProtocol, key: Uint8Array, message: Buffer, macStart: number): string {
    const { blockBytes } = auth;
    const length = blockBytes + message.length;
    if (length > this.#work.length) this.#work = Buffer.allocUnsafeSlow(2 * length);
    const work = this.#work;
    for (let i = 0; i < blockBytes; i++) work[i] = 0x36 ^ (key[i] ?? 0);
    work.set(message, blockBytes);
    work.fill(0, blockBytes + macStart, blockBytes + macStart + auth.macBytes);
    const inner = hash(auth.hash, work.subarray(0, length), 'hex');
    for (let i = 0; i < blockBytes; i++) work[i] = 0x5c ^ (key[i] ?? 0);
    work.write(inner, blockBytes, 'hex');
    return hash(auth.hash, work.subarray(0, blockBytes + auth.digestBytes), 'hex');
  }
}
