import type { BerReader } from '../../codec/ber-reader.ts';
import type { DecodeFault } from '../../codec/decode-fault.ts';
import { verifyMessage } from '../crypto/message-mac.ts';
import { decryptScopedPdu } from '../crypto/scoped-pdu-cipher.ts';
import type { SecurityKeys } from '../user/security-user.ts';
import { readScopedPdu, type ScopedPdu } from './scoped-pdu.ts';
import type { V3Message } from './v3-message.ts';

/** The authentication step: undefined when the MAC is right. */
export function checkMac(message: V3Message, keys: SecurityKeys): 'macLength' | 'mac' | undefined {
  const { octets, macStart, macEnd } = message;
  const { auth } = keys;
  if (auth === undefined) return 'mac';
  if (macEnd - macStart !== auth.protocol.macBytes) return 'macLength';
  return verifyMessage(auth.protocol, auth.key, octets, macStart, macEnd) ? undefined : 'mac';
}

/** The scoped PDU, decrypted if need be. To be called after authentication and the time window (RFC 3414 §3.2). */
export function readScopedPduOf(
  reader: BerReader,
  message: V3Message,
  keys: SecurityKeys,
): ScopedPdu | DecodeFault | 'decryption' {
  const { octets, boots, time, dataStart, dataEnd } = message;
  if (!message.isEncrypted) return readScopedPdu(reader, octets, dataStart, dataEnd);
  const { priv } = keys;
  if (priv === undefined) return 'decryption';
  const salt = octets.subarray(message.saltStart, message.saltEnd);
  const encrypted = octets.subarray(dataStart, dataEnd);
  const plain = decryptScopedPdu(priv.protocol, priv.key, { boots, time, salt }, encrypted);
  if (plain === undefined) return 'decryption';
  const scoped = readScopedPdu(reader, plain, 0, plain.length);
  // What no key of ours decrypts is noise: that it is no BER says nothing about its sender's encoder.
  return typeof scoped === 'string' ? 'decryption' : scoped;
}
