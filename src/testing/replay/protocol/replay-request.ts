import type { BerReader } from '../../../snmp/codec/ber-reader.ts';
import { berTag } from '../../../snmp/codec/ber-tag.ts';
import { maxVarbinds } from '../../../snmp/codec/varbind-codec.ts';

/** A request PDU as positions in its datagram; one object serves every request of an agent. */
export class ReplayRequest {
  bytes: Uint8Array = new Uint8Array(0);
  /** The PDU's tag. */
  type = 0;
  requestId = 0;
  nonRepeaters = 0;
  maxRepetitions = 0;
  /** Where the content of the VarBindList starts and ends: a v1 error echoes it. */
  listStart = 0;
  listEnd = 0;
  /** How many varbinds are requested. */
  count = 0;
  readonly #nameStarts: number[] = [];
  readonly #nameEnds: number[] = [];

  nameStart(index: number): number {
    return this.#nameStarts[index]!;
  }

  nameEnd(index: number): number {
    return this.#nameEnds[index]!;
  }

  /** Reads the PDU at the reader's position. A malformed PDU sets the reader's fault. */
  read(reader: BerReader): void {
    this.bytes = reader.bytes;
    const pduEnd = reader.end;
    this.type = reader.readHeader();
    reader.end = reader.position + reader.length;
    this.requestId = reader.readInteger(berTag.integer);
    this.nonRepeaters = Math.max(0, reader.readInteger(berTag.integer));
    this.maxRepetitions = Math.max(0, reader.readInteger(berTag.integer));
    const listEnd = reader.enter(berTag.sequence);
    this.listStart = reader.position;
    this.listEnd = reader.end;
    this.count = 0;
    while (!reader.isAtEnd) this.#readName(reader);
    reader.leave(listEnd);
    reader.leave(pduEnd);
  }

  #readName(reader: BerReader): void {
    if (this.count === maxVarbinds) {
      reader.fail('varbinds');
      return;
    }
    const varbindEnd = reader.enter(berTag.sequence);
    reader.expectHeader(berTag.objectIdentifier);
    this.#nameStarts[this.count] = reader.position;
    this.#nameEnds[this.count] = reader.position + reader.length;
    reader.position += reader.length;
    reader.readHeader();
    reader.position += reader.length;
    reader.leave(varbindEnd);
    this.count++;
  }
}
