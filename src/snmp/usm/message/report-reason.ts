import type { BerReader } from '../../codec/ber-reader.ts';
import { berTag } from '../../codec/ber-tag.ts';
import { decodeOid } from '../../codec/oid-bytes.ts';

/** The counters in Reports, by what they count (RFC 3414 §5, RFC 3412 §5, RFC 3413 §4.1.2). */
export const reportOids = {
  unsupportedSecLevels: '1.3.6.1.6.3.15.1.1.1.0',
  notInTimeWindows: '1.3.6.1.6.3.15.1.1.2.0',
  unknownUserNames: '1.3.6.1.6.3.15.1.1.3.0',
  unknownEngineIDs: '1.3.6.1.6.3.15.1.1.4.0',
  wrongDigests: '1.3.6.1.6.3.15.1.1.5.0',
  decryptionErrors: '1.3.6.1.6.3.15.1.1.6.0',
  unknownSecurityModels: '1.3.6.1.6.3.11.2.1.1.0',
  invalidMsgs: '1.3.6.1.6.3.11.2.1.2.0',
  unknownPDUHandlers: '1.3.6.1.6.3.11.2.1.3.0',
  unavailableContexts: '1.3.6.1.6.3.12.1.4.0',
  unknownContexts: '1.3.6.1.6.3.12.1.5.0',
} as const;

/** Why an engine sent a Report; `other` when its counter is unknown. */
export type ReportReason = keyof typeof reportOids | 'other';

/** Reads the PDU of a Report; undefined when it is malformed. */
export function readReportReason(
  reader: BerReader,
  octets: Buffer,
  start: number,
  end: number,
): ReportReason | undefined {
  reader.open(octets, start, end).enter(berTag.report);
  for (let i = 0; i < 3; i++) reader.readInteger(berTag.integer);
  reader.enter(berTag.sequence);
  reader.enter(berTag.sequence);
  reader.expectHeader(berTag.objectIdentifier);
  if (reader.fault !== undefined) return undefined;
  const oid = decodeOid(octets, reader.position, reader.position + reader.length);
  return oid === undefined ? undefined : (reasonByOid.get(oid) ?? 'other');
}

const reasonByOid: ReadonlyMap<string, ReportReason> = new Map(
  Object.entries(reportOids).map(([reason, oid]) => [oid, reason as ReportReason]),
);
