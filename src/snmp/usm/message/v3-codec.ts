import { BerReader } from '../../codec/ber-reader.ts';
import { berTag } from '../../codec/ber-tag.ts';
import { BerWriter } from '../../codec/ber-writer.ts';
import type { DecodeFault } from '../../codec/decode-fault.ts';
import { MessageMac } from '../crypto/message-mac.ts';
import { ScopedPduCipher } from '../crypto/scoped-pdu-cipher.ts';
import { messageFlag } from '../user/security-level.ts';
import type { SecurityKeys } from '../user/security-user.ts';
import { readScopedPdu, type ScopedPdu } from './scoped-pdu.ts';
import { readV3Message, usmSecurityModel, type V3Message } from './v3-message.ts';

/** The content of a message before it is encrypted and signed. */
export interface OutgoingMessage {
  readonly messageId: number;
  /** msgFlags: the security level, with or without the reportable bit. */
  readonly flags: number;
  /** The authoritative engine's ID, and its clock as the sender knows it. */
  readonly engineId: Uint8Array;
  readonly boots: number;
  readonly time: number;
  readonly userName: Uint8Array;
  /** Localized to `engineId`; contains the keys that `flags` needs. */
  readonly keys: SecurityKeys;
  /** Eight octets when `flags` has the privacy bit; never the same twice for one key. */
  readonly salt?: Uint8Array | undefined;
  readonly contextEngineId: Uint8Array;
  readonly contextName: Uint8Array;
  /** Encoded, with tag and length. */
  readonly pdu: Uint8Array;
}

/** The largest message in UDP over IPv4; sent as msgMaxSize. */
const maxMessageBytes = 65_507;
const nothing = new Uint8Array(0);

/** Turns SNMPv3 datagrams into messages and back, step by step. Reuses its buffers: one per socket is enough. */
export class V3Codec {
  readonly reader: BerReader;
  readonly writer = new BerWriter();
  readonly #mac = new MessageMac();
  readonly #cipher = new ScopedPduCipher();

  constructor(reader = new BerReader()) {
    this.reader = reader;
  }

  /** Never throws: returns a message, or the cause why the octets are not one. Nothing is verified yet. */
  read(datagram: Buffer): V3Message | DecodeFault {
    return readV3Message(this.reader, datagram);
  }

  /** The authentication step: undefined when the MAC is right. */
  checkMac(message: V3Message, keys: SecurityKeys): 'macLength' | 'mac' | undefined {
    const { octets, macStart, macEnd } = message;
    const { auth } = keys;
    if (auth === undefined) return 'mac';
    if (macEnd - macStart !== auth.protocol.macBytes) return 'macLength';
    return this.#mac.verify(auth.protocol, auth.key, octets, macStart, macEnd) ? undefined : 'mac';
  }

  /** The scoped PDU, decrypted if necessary. Call it after the checks of MAC and time window (RFC 3414 §3.2). */
  openScopedPdu(message: V3Message, keys: SecurityKeys): ScopedPdu | DecodeFault | 'decryption' {
    const { octets, boots, time, dataStart, dataEnd } = message;
    if (!message.isEncrypted) return readScopedPdu(this.reader, octets, dataStart, dataEnd);
    const { priv } = keys;
    if (priv === undefined) return 'decryption';
    const salt = octets.subarray(message.saltStart, message.saltEnd);
    const encrypted = octets.subarray(dataStart, dataEnd);
    const plain = this.#cipher.decrypt(priv.protocol, priv.key, { boots, time, salt }, encrypted);
    if (plain === undefined) return 'decryption';
    return readScopedPdu(this.reader, plain, 0, plain.length);
  }

  /** Writes, encrypts and signs a message. The result is a new buffer. */
  seal(outgoing: OutgoingMessage): Buffer {
    const { writer } = this;
    const { keys, flags, boots, time } = outgoing;
    const auth = (flags & messageFlag.auth) === 0 ? undefined : keys.auth;
    const priv = (flags & messageFlag.priv) === 0 ? undefined : keys.priv;
    const salt = priv === undefined ? nothing : (outgoing.salt ?? nothing);

    writer.reset();
    writer.raw(outgoing.pdu);
    writer.octets(berTag.octetString, outgoing.contextName);
    writer.octets(berTag.octetString, outgoing.contextEngineId);
    writer.header(berTag.sequence, 0);
    if (priv !== undefined) {
      const encrypted = this.#cipher.encrypt(priv.protocol, priv.key, { boots, time, salt }, writer.view());
      writer.reset().octets(berTag.octetString, encrypted);
    }

    const parameters = writer.mark();
    writer.octets(berTag.octetString, salt);
    writer.raw(auth === undefined ? nothing : new Uint8Array(auth.protocol.macBytes));
    const fromMacToEnd = writer.size;
    writer.header(berTag.octetString, fromMacToEnd - (auth?.protocol.macBytes ?? 0));
    writer.octets(berTag.octetString, outgoing.userName);
    writer.integer(time);
    writer.integer(boots);
    writer.octets(berTag.octetString, outgoing.engineId);
    writer.header(berTag.sequence, parameters);
    writer.header(berTag.octetString, parameters);

    const header = writer.mark();
    writer.integer(usmSecurityModel);
    writer.octets(berTag.octetString, Uint8Array.of(flags));
    writer.integer(maxMessageBytes);
    writer.integer(outgoing.messageId);
    writer.header(berTag.sequence, header);
    writer.integer(3);
    writer.header(berTag.sequence, 0);

    const message = writer.toBuffer();
    if (auth !== undefined) {
      this.#mac.sign(auth.protocol, auth.key, message, message.length - fromMacToEnd);
    }
    return message;
  }
}
