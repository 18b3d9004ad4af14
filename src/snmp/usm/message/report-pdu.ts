import { berTag } from '../../codec/ber-tag.ts';
import type { BerWriter } from '../../codec/ber-writer.ts';
import { encodeOid } from '../../codec/oid-bytes.ts';
import { reportOids } from './report-reason.ts';

/** The PDU of a Report: the counter of its reason. */
export function encodeReport(
  writer: BerWriter,
  requestId: number,
  reason: keyof typeof reportOids,
  count: number,
): Buffer {
  writer.reset();
  writer.integer(count, berTag.counter32);
  writer.octets(berTag.objectIdentifier, encodeOid(reportOids[reason])!);
  writer.header(berTag.sequence, 0);
  writer.header(berTag.sequence, 0);
  for (const value of [0, 0, requestId]) writer.integer(value);
  writer.header(berTag.report, 0);
  return writer.toBuffer();
}
