import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuthProtocol } from './auth-protocol.ts';

/** Computes the MAC of a whole message and writes it at `macStart`. */
export function signMessage(auth: AuthProtocol, key: Uint8Array, message: Buffer, macStart: number): void {
  const macEnd = macStart + auth.macBytes;
  message.fill(0, macStart, macEnd);
  createHmac(auth.hash, key).update(message).digest().copy(message, macStart, 0, auth.macBytes);
}

/**
 * Whether the MAC in `message[macStart, macEnd)` is the one that `key` gives, of exactly the protocol's length.
 * Zeroes the MAC while it computes (RFC 3414 §6.3.2 wants it so) and puts it back.
 */
export function verifyMessage(
  auth: AuthProtocol,
  key: Uint8Array,
  message: Buffer,
  macStart: number,
  macEnd: number,
): boolean {
  if (macEnd - macStart !== auth.macBytes) return false;
  const received = Buffer.allocUnsafe(auth.macBytes);
  message.copy(received, 0, macStart, macEnd);
  message.fill(0, macStart, macEnd);
  const digest = createHmac(auth.hash, key).update(message).digest();
  received.copy(message, macStart);
  return timingSafeEqual(received, digest.subarray(0, auth.macBytes));
}
