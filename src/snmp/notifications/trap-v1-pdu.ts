import type { Oid } from '../../model/oid.ts';
import type { BerReader } from '../codec/ber-reader.ts';
import { berTag } from '../codec/ber-tag.ts';
import type { BerWriter } from '../codec/ber-writer.ts';
import { decodeOid, encodeOid } from '../codec/oid-bytes.ts';
import type { OidTextCache } from '../codec/oid-text-cache.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import { readVarbinds, writeVarbinds } from '../codec/varbind-codec.ts';

/** The Trap-PDU of SNMPv1 (RFC 1157 §4.1.6). */
export interface TrapV1Pdu {
  readonly enterprise: Oid;
  readonly agentAddress: string;
  readonly generic: number;
  readonly specific: number;
  /** time-stamp: hundredths of a second. */
  readonly uptime: number;
  readonly varbinds: readonly Varbind[];
}

/** generic-trap for traps of an enterprise; the ones before are defined by SNMP itself. */
export const enterpriseSpecific = 6;

/** Reads the PDU at the reader's position; after a fault, discard the result. */
export function readTrapV1(reader: BerReader, texts: OidTextCache): TrapV1Pdu {
  const outer = reader.enter(berTag.trapV1);
  reader.expectHeader(berTag.objectIdentifier);
  const start = reader.position;
  reader.position += reader.length;
  const enterprise = decodeOid(reader.bytes, start, reader.position);
  if (enterprise === undefined) reader.fail('oid');
  const address = reader.readOctets(berTag.ipAddress);
  if (address.length !== 4) reader.fail('value');
  const generic = reader.readInteger(berTag.integer);
  if (generic < 0 || generic > enterpriseSpecific) reader.fail('value');
  const specific = reader.readInteger(berTag.integer);
  reader.expectHeader(berTag.timeTicks);
  const uptime = reader.readUnsigned32Content();
  const varbinds = readVarbinds(reader, texts);
  reader.leave(outer);
  return {
    enterprise: enterprise ?? '',
    agentAddress: address.join('.'),
    generic,
    // An unsigned number for some agents, although the type is signed.
    specific: specific >>> 0,
    uptime,
    varbinds,
  };
}

/** Throws a RangeError for a value that SNMPv1 cannot carry: it comes from the caller. */
export function writeTrapV1(writer: BerWriter, pdu: TrapV1Pdu): void {
  const enterprise = encodeOid(pdu.enterprise);
  if (enterprise === undefined) throw new RangeError(`"${pdu.enterprise}" is not an OID.`);
  const mark = writer.mark();
  writeVarbinds(writer, pdu.varbinds);
  writer.integer(pdu.uptime, berTag.timeTicks);
  writer.integer(pdu.specific);
  writer.integer(pdu.generic);
  writer.octets(berTag.ipAddress, Uint8Array.from(pdu.agentAddress.split('.'), Number));
  writer.octets(berTag.objectIdentifier, enterprise);
  writer.header(berTag.trapV1, mark);
}
