import { BerReader } from '../codec/ber-reader.ts';
import { berTag } from '../codec/ber-tag.ts';
import type { DecodeFault, DecodeTally } from '../codec/decode-fault.ts';

/**
 * The part of a datagram that identifies the request it answers. It is reused for every datagram: read the fields before
 * the next `read`.
 */
export class Envelope {
  /** As encoded: 0, 1 or 3. */
  version = 0;
  /** request-id in v1 and v2c; msgID in v3. */
  id = 0;
  communityStart = 0;
  communityEnd = 0;
  pduTag = 0;
  /** After the request-id; the PDU ends at `pduEnd`. */
  pduBody = 0;
  pduEnd = 0;
  readonly #reader: BerReader;

  constructor(tally: DecodeTally) {
    this.#reader = new BerReader(tally);
  }

  read(datagram: Uint8Array): DecodeFault | undefined {
    const reader = this.#reader.open(datagram);
    const outerEnd = reader.enter(berTag.sequence);
    this.version = reader.readInteger(berTag.integer);
    if (this.version === 3) {
      reader.enter(berTag.sequence);
      this.id = reader.readInteger(berTag.integer);
      return reader.fault;
    }
    if (this.version !== 0 && this.version !== 1) reader.fail('version');
    reader.expectHeader(berTag.octetString);
    this.communityStart = reader.position;
    reader.position += reader.length;
    this.communityEnd = reader.position;
    const messageEnd = reader.end;
    this.#readPdu(reader);
    if (reader.fault !== undefined) return reader.fault;
    if (this.pduEnd !== messageEnd) return 'trailing';
    if (messageEnd !== outerEnd) reader.tally.trailingBytes++;
    return undefined;
  }

  /** Reads tag, request-id and extent of the PDU in `bytes[start, end)`, as a decrypted scoped PDU holds it. */
  readPdu(bytes: Uint8Array, start: number, end: number): DecodeFault | undefined {
    const reader = this.#reader.open(bytes, start, end);
    this.#readPdu(reader);
    return reader.fault;
  }

  #readPdu(reader: BerReader): void {
    this.pduTag = reader.readHeader();
    this.pduEnd = reader.position + reader.length;
    reader.end = this.pduEnd;
    this.id = reader.readInteger(berTag.integer);
    this.pduBody = reader.position;
  }
}
