import { berTag } from '../../codec/ber-tag.ts';
import type { BerWriter } from '../../codec/ber-writer.ts';
import { signMessage } from '../crypto/message-mac.ts';
import { encryptScopedPdu } from '../crypto/scoped-pdu-cipher.ts';
import type { SecurityKeys } from '../user/security-user.ts';
import { messageFlag } from './security-level.ts';
import { usmSecurityModel } from './v3-message.ts';

/** The largest message that UDP carries over IPv4: what we can take, told to the other side. */
const maxMessageBytes = 65_507;
const nothing = new Uint8Array(0);

/** All that a message is made of. */
export interface Envelope {
  readonly messageId: number;
  /** msgFlags: the security level, with the reportable bit or without. */
  readonly flags: number;
  /** The authoritative engine's: its id, and its clock as the sender knows it. */
  readonly engineId: Uint8Array;
  readonly boots: number;
  readonly time: number;
  readonly userName: Uint8Array;
  /** Localized to `engineId`; has what `flags` asks for. */
  readonly keys: SecurityKeys;
  /** Eight octets when `flags` asks for privacy; never the same twice for one key. */
  readonly salt?: Uint8Array | undefined;
  readonly contextEngineId: Uint8Array;
  readonly contextName: Uint8Array;
  /** Encoded, with tag and length. */
  readonly pdu: Uint8Array;
}

/** Writes, encrypts and signs a message. The result is the caller's own. */
export function sealMessage(writer: BerWriter, envelope: Envelope): Buffer {
  const { keys, flags, boots, time } = envelope;
  const auth = (flags & messageFlag.auth) === 0 ? undefined : keys.auth;
  const priv = (flags & messageFlag.priv) === 0 ? undefined : keys.priv;
  const salt = priv === undefined ? nothing : (envelope.salt ?? nothing);

  writer.reset();
  writer.raw(envelope.pdu);
  writer.octets(berTag.octetString, envelope.contextName);
  writer.octets(berTag.octetString, envelope.contextEngineId);
  writer.header(berTag.sequence, 0);
  if (priv !== undefined) {
    const encrypted = encryptScopedPdu(priv.protocol, priv.key, { boots, time, salt }, writer.view());
    writer.reset().octets(berTag.octetString, encrypted);
  }

  const parameters = writer.mark();
  writer.octets(berTag.octetString, salt);
  writer.raw(auth === undefined ? nothing : new Uint8Array(auth.protocol.macBytes));
  const fromMacToEnd = writer.size;
  writer.header(berTag.octetString, fromMacToEnd - (auth?.protocol.macBytes ?? 0));
  writer.octets(berTag.octetString, envelope.userName);
  writer.integer(time);
  writer.integer(boots);
  writer.octets(berTag.octetString, envelope.engineId);
  writer.header(berTag.sequence, parameters);
  writer.header(berTag.octetString, parameters);

  const header = writer.mark();
  writer.integer(usmSecurityModel);
  writer.octets(berTag.octetString, Uint8Array.of(flags));
  writer.integer(maxMessageBytes);
  writer.integer(envelope.messageId);
  writer.header(berTag.sequence, header);
  writer.integer(3);
  writer.header(berTag.sequence, 0);

  const message = writer.toBuffer();
  if (auth !== undefined) signMessage(auth.protocol, auth.key, message, message.length - fromMacToEnd);
  return message;
}
