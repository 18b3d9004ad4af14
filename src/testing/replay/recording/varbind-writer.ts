import { berTag } from '../../../snmp/codec/ber-tag.ts';
import type { BerWriter } from '../../../snmp/codec/ber-writer.ts';

/** A value beside its tag: numbers of up to 64 bits, or the content octets of whatever is no number. */
export type ReplayValue = number | bigint | Uint8Array;

/** Writes the whole varbind in front of what the writer holds. */
export function writeVarbind(writer: BerWriter, oid: Uint8Array, tag: number, value: ReplayValue): void {
  const mark = writer.mark();
  if (typeof value === 'number') writer.integer(value, tag);
  else if (typeof value === 'bigint') writer.bigInteger(value, tag);
  else writer.octets(tag, value);
  writer.octets(berTag.objectIdentifier, oid);
  writer.header(berTag.sequence, mark);
}
