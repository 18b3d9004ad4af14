import type { BerReader } from '../../codec/ber-reader.ts';
import { berTag } from '../../codec/ber-tag.ts';
import type { DecodeFault } from '../../codec/decode-fault.ts';

/** The User-based Security Model among the security models (RFC 3411 §5). */
export const usmSecurityModel = 3;

/**
 * An SNMPv3 message as received (RFC 3412 §6, RFC 3414 §2.4): nothing is verified, nothing is copied. Fields that end in
 * `Start` or `End` are positions in `octets`.
 */
export interface V3Message {
  /** The message without octets after it in the datagram; a view. */
  readonly octets: Buffer;
  readonly messageId: number;
  /** The largest message that the sender accepts. */
  readonly maxBytes: number;
  /** msgFlags, one octet. */
  readonly flags: number;
  readonly securityModel: number;
  readonly engineIdStart: number;
  readonly engineIdEnd: number;
  readonly boots: number;
  readonly time: number;
  readonly userStart: number;
  readonly userEnd: number;
  readonly macStart: number;
  readonly macEnd: number;
  readonly saltStart: number;
  readonly saltEnd: number;
  /** The scoped PDU, or the content of the octet string with the encrypted one. */
  readonly dataStart: number;
  readonly dataEnd: number;
  readonly isEncrypted: boolean;
}

/** Never throws: returns a message, or the cause why the octets are not one. */
export function readV3Message(reader: BerReader, datagram: Buffer): V3Message | DecodeFault {
  const outer = reader.open(datagram).enter(berTag.sequence);
  if (reader.readInteger(berTag.integer) !== 3) reader.fail('version');

  const message = reader.enter(berTag.sequence);
  const messageId = readNatural(reader);
  const maxBytes = readNatural(reader);
  if (skipOctets(reader) !== 1) reader.fail('value');
  const flags = datagram[reader.position - 1] ?? 0;
  const securityModel = readNatural(reader);
  reader.leave(message);

  const parameters = reader.enter(berTag.octetString);
  const fields = reader.enter(berTag.sequence);
  const engineIdLength = skipOctets(reader);
  const engineIdEnd = reader.position;
  const boots = readNatural(reader);
  const time = readNatural(reader);
  const userLength = skipOctets(reader);
  const userEnd = reader.position;
  const macLength = skipOctets(reader);
  const macEnd = reader.position;
  const saltLength = skipOctets(reader);
  const saltEnd = reader.position;
  reader.leave(fields);
  reader.leave(parameters);

  let dataStart = reader.position;
  const dataTag = reader.readHeader();
  if (dataTag === berTag.octetString) dataStart = reader.position;
  else if (dataTag !== berTag.sequence) reader.fail('tag');
  reader.position += reader.length;
  const dataEnd = reader.position;
  reader.leaveMessage(outer);
  if (reader.fault !== undefined) return reader.fault;
  return {
    octets: dataEnd === datagram.length ? datagram : datagram.subarray(0, dataEnd),
    messageId,
    maxBytes,
    flags,
    securityModel,
    engineIdStart: engineIdEnd - engineIdLength,
    engineIdEnd,
    boots,
    time,
    userStart: userEnd - userLength,
    userEnd,
    macStart: macEnd - macLength,
    macEnd,
    saltStart: saltEnd - saltLength,
    saltEnd,
    dataStart,
    dataEnd,
    isEncrypted: dataTag === berTag.octetString,
  };
}

/** An INTEGER (0..2147483647), the type of all numbers in the header. */
function readNatural(reader: BerReader): number {
  const value = reader.readInteger(berTag.integer);
  if (value < 0 || value > 0x7fffffff) reader.fail('value');
  return value;
}

/** Skips an octet string and returns its length. */
function skipOctets(reader: BerReader): number {
  reader.expectHeader(berTag.octetString);
  const { length } = reader;
  reader.position += length;
  return length;
}
