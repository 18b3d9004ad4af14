import { BerReader } from './ber-reader.ts';
import { berTag } from './ber-tag.ts';
import { BerWriter } from './ber-writer.ts';
import { type DecodeFault, type DecodeTally, newDecodeTally } from './decode-fault.ts';
import { OidTextCache } from './oid-text-cache.ts';
import { type Pdu, readPdu, writePdu } from './pdu.ts';

/** A message of SNMPv1 or v2c. */
export interface CommunityMessage {
  readonly version: '1' | '2c';
  readonly community: Uint8Array;
  readonly pdu: Pdu;
}

/** Turns datagrams into messages and back. Reuses its buffers: one per socket is enough. */
export class CommunityCodec {
  readonly #reader: BerReader;
  readonly #writer = new BerWriter();
  readonly #texts = new OidTextCache();

  constructor(tally: DecodeTally = newDecodeTally()) {
    this.#reader = new BerReader(tally);
  }

  /** Never throws: returns a message, or the cause why the octets are not one. */
  decode(datagram: Uint8Array): CommunityMessage | DecodeFault {
    const reader = this.#reader.open(datagram);
    const outer = reader.enter(berTag.sequence);
    const version = reader.readInteger(berTag.integer);
    if (version !== 0 && version !== 1) reader.fail('version');
    const community = reader.readOctets(berTag.octetString);
    const pdu = readPdu(reader, this.#texts);
    reader.leaveMessage(outer);
    return reader.fault ?? { version: version === 0 ? '1' : '2c', community, pdu };
  }

  encode(message: CommunityMessage): Buffer {
    const writer = this.#writer.reset();
    writePdu(writer, message.pdu);
    writer.octets(berTag.octetString, message.community);
    writer.integer(message.version === '1' ? 0 : 1);
    writer.header(berTag.sequence, 0);
    return writer.toBuffer();
  }
}
