import type { BerReader } from './ber-reader.ts';
import { berTag } from './ber-tag.ts';
import type { BerWriter } from './ber-writer.ts';
import type { OidTextCache } from './oid-text-cache.ts';
import type { Varbind } from './snmp-value.ts';
import { readVarbinds, writeVarbinds } from './varbind-codec.ts';

export type PduType =
  | 'GetRequest'
  | 'GetNextRequest'
  | 'Response'
  | 'SetRequest'
  | 'GetBulkRequest'
  | 'InformRequest'
  | 'TrapV2'
  | 'Report';

/** Any PDU except SNMPv1's trap, which has other fields. */
export interface Pdu {
  readonly type: PduType;
  readonly requestId: number;
  /** In a GetBulkRequest: non-repeaters. */
  readonly errorStatus: number;
  /** In a GetBulkRequest: max-repetitions. */
  readonly errorIndex: number;
  readonly varbinds: readonly Varbind[];
}

/** error-status by number (RFC 3416 §3). */
export const errorStatuses = [
  'noError',
  'tooBig',
  'noSuchName',
  'badValue',
  'readOnly',
  'genErr',
  'noAccess',
  'wrongType',
  'wrongLength',
  'wrongEncoding',
  'wrongValue',
  'noCreation',
  'inconsistentValue',
  'resourceUnavailable',
  'commitFailed',
  'undoFailed',
  'authorizationError',
  'notWritable',
  'inconsistentName',
] as const;
export type ErrorStatus = (typeof errorStatuses)[number];

/** Reads a PDU; after a fault, discard the result. */
export function readPdu(reader: BerReader, texts: OidTextCache): Pdu {
  const outer = reader.end;
  const type = typeByTag.get(reader.readHeader());
  if (type === undefined) reader.fail('tag');
  reader.end = reader.position + reader.length;
  const requestId = reader.readInteger(berTag.integer);
  const errorStatus = reader.readInteger(berTag.integer);
  const errorIndex = reader.readInteger(berTag.integer);
  const varbinds = readVarbinds(reader, texts);
  reader.leave(outer);
  return { type: type ?? 'Report', requestId, errorStatus, errorIndex, varbinds };
}

export function writePdu(writer: BerWriter, pdu: Pdu): void {
  const mark = writer.mark();
  writeVarbinds(writer, pdu.varbinds);
  writer.integer(pdu.errorIndex);
  writer.integer(pdu.errorStatus);
  writer.integer(pdu.requestId);
  writer.header(tagByType[pdu.type], mark);
}

const tagByType: Readonly<Record<PduType, number>> = {
  GetRequest: berTag.getRequest,
  GetNextRequest: berTag.getNextRequest,
  Response: berTag.response,
  SetRequest: berTag.setRequest,
  GetBulkRequest: berTag.getBulkRequest,
  InformRequest: berTag.informRequest,
  TrapV2: berTag.trapV2,
  Report: berTag.report,
};
const typeByTag: ReadonlyMap<number, PduType> = new Map(
  Object.entries(tagByType).map(([type, tag]) => [tag, type as PduType]),
);
