import { berTag } from '../../../snmp/codec/ber-tag.ts';
import type { BerWriter } from '../../../snmp/codec/ber-writer.ts';
import { maxVarbinds } from '../../../snmp/codec/varbind-codec.ts';
import type { RequestReader } from './request-reader.ts';

/** A request PDU as positions in its datagram; one object serves every request of an agent. */
export class ReplayRequest {
  bytes: Uint8Array = new Uint8Array(0);
  /** The PDU's tag. */
  type = 0;
  requestId = 0;
  nonRepeaters = 0;
  maxRepetitions = 0;
  /** How many varbinds are requested. */
  count = 0;
  readonly #nameStarts: number[] = [];
  readonly #nameEnds: number[] = [];
  readonly #valueTags: number[] = [];
  readonly #valueStarts: number[] = [];
  readonly #valueEnds: number[] = [];

  nameStart(index: number): number {
    return this.#nameStarts[index]!;
  }

  nameEnd(index: number): number {
    return this.#nameEnds[index]!;
  }

  valueTag(index: number): number {
    return this.#valueTags[index]!;
  }

  /** Reads the PDU at the reader's position. A malformed PDU sets the reader's fault. */
  read(reader: RequestReader): void {
    this.bytes = reader.bytes;
    const pduEnd = reader.end;
    this.type = reader.readHeader();
    reader.end = reader.position + reader.length;
    this.requestId = reader.readInteger(berTag.integer);
    this.nonRepeaters = Math.max(0, reader.readInteger(berTag.integer));
    this.maxRepetitions = Math.max(0, reader.readInteger(berTag.integer));
    const listEnd = reader.enter(berTag.sequence);
    this.count = 0;
    while (!reader.isAtEnd) this.#readVarbind(reader);
    reader.leave(listEnd);
    reader.leaveMessage(pduEnd);
  }

  /** Writes the varbinds of the request, which some errors repeat, before the present content of the writer. */
  writeVarbinds(writer: BerWriter): void {
    for (let i = this.count - 1; i >= 0; i--) {
      const mark = writer.mark();
      writer.octets(this.valueTag(i), this.bytes.subarray(this.#valueStarts[i]!, this.#valueEnds[i]!));
      writer.octets(berTag.objectIdentifier, this.bytes.subarray(this.nameStart(i), this.nameEnd(i)));
      writer.header(berTag.sequence, mark);
    }
  }

  #readVarbind(reader: RequestReader): void {
    const { count } = this;
    if (count === maxVarbinds) {
      reader.fail('varbindCount');
      return;
    }
    const varbindEnd = reader.enter(berTag.sequence);
    reader.readName();
    this.#nameStarts[count] = reader.oidStart;
    this.#nameEnds[count] = reader.oidEnd;
    const tag = reader.readValue();
    const isOid = tag === berTag.objectIdentifier;
    this.#valueTags[count] = tag;
    this.#valueStarts[count] = isOid ? reader.oidStart : reader.position - reader.length;
    this.#valueEnds[count] = isOid ? reader.oidEnd : reader.position;
    reader.leave(varbindEnd);
    this.count++;
  }
}
