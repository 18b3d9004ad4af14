import { berTag } from '../codec/ber-tag.ts';
import type { BerWriter } from '../codec/ber-writer.ts';
import { compareOidBytes } from '../codec/oid-bytes.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import { type OidRanges, readVarbinds } from '../codec/varbind-codec.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';
import type { RejectReason } from '../transport/counters.ts';
import type { Envelope } from '../transport/envelope.ts';
import type { FlightContext } from './flight-context.ts';
import { SessionFlight } from './session-flight.ts';

/** One GET, GETNEXT or GETBULK. OIDs are in BER's content octets. */
export interface PduRequest {
  readonly tag: typeof berTag.getRequest | typeof berTag.getNextRequest | typeof berTag.getBulkRequest;
  readonly oids: readonly Uint8Array[];
  readonly nonRepeaters: number;
  readonly maxRepetitions: number;
  /** For agents known to loop: a reply that does not follow the requested OIDs is passed on instead of ignored. */
  readonly acceptsAnyOrder: boolean;
  /** For receivers that compare each row with the previous one: only the first row is compared here. */
  readonly comparesRows?: boolean;
}

/** A reply that passed every check. `bytes` and `ranges` are valid until the receiver returns. */
export interface PduReply {
  readonly errorStatus: number;
  readonly errorIndex: number;
  readonly varbinds: Varbind[];
  readonly bytes: Buffer;
  readonly ranges: OidRanges;
}

export interface PduReceiver {
  onReply(reply: PduReply): void;
  onFailure(code: SnmpErrorCode): void;
}

/** A request that is encoded when it is sent and whose reply is decoded into varbinds. It may be launched again with another request. */
export class PduFlight extends SessionFlight {
  request: PduRequest;
  readonly #receiver: PduReceiver;

  constructor(session: FlightContext, request: PduRequest, receiver: PduReceiver) {
    super(session);
    this.request = request;
    this.#receiver = receiver;
  }

  encode(id: number): Buffer {
    const { core, wire } = this.session;
    const writer = core.writer.reset();
    writeRequest(writer, this.request, id);
    if (wire.version === 3) return this.seal(id, writer.toBuffer());
    writer.octets(berTag.octetString, wire.community);
    writer.integer(wire.version);
    writer.header(berTag.sequence, 0);
    return writer.toBuffer();
  }

  fail(code: SnmpErrorCode): void {
    this.#receiver.onFailure(code);
  }

  protected answer(bytes: Buffer, envelope: Envelope): RejectReason | undefined {
    const { core } = this.session;
    const { texts, ranges } = core;
    const reader = core.reader.open(bytes, envelope.pduBody, envelope.pduEnd);
    const errorStatus = reader.readInteger(berTag.integer);
    const errorIndex = reader.readInteger(berTag.integer);
    const varbinds = readVarbinds(reader, texts, ranges);
    if (!reader.isAtEnd) reader.fail('trailing');
    if (reader.fault !== undefined) return reader.fault;
    const reply = { errorStatus, errorIndex, varbinds, bytes, ranges };
    if (errorStatus === 0 && !this.#fits(reply)) return 'varbinds';
    core.transport.accept(this, envelope.id);
    this.#receiver.onReply(reply);
    return undefined;
  }

  #fits(reply: PduReply): boolean {
    const { request, session } = this;
    if (request.tag === berTag.getRequest) {
      if (hasSameOids(request, reply)) return true;
      if (session.limits.toleratesOrder && sortLike(request, reply)) {
        session.core.transport.counters.tolerated.reorderedReplies++;
        return true;
      }
      this.hint = 'SNMP_WRONG_ANSWER';
      return false;
    }
    if (!hasLayout(request, reply)) {
      this.hint = 'SNMP_WRONG_ANSWER';
      return false;
    }
    if (request.acceptsAnyOrder || follows(request, reply)) return true;
    // Only a looping agent answers like this. The correct reply may still come; if it does not, repeating the request does not help.
    this.hint = 'SNMP_NOT_INCREASING';
    this.isHopeless = true;
    return false;
  }
}

function writeRequest(writer: BerWriter, request: PduRequest, id: number): void {
  for (let i = request.oids.length - 1; i >= 0; i--) {
    const varbind = writer.mark();
    writer.empty(berTag.null);
    writer.octets(berTag.objectIdentifier, request.oids[i]!);
    writer.header(berTag.sequence, varbind);
  }
  writer.header(berTag.sequence, 0);
  writer.integer(request.maxRepetitions);
  writer.integer(request.nonRepeaters);
  writer.integer(id);
  writer.header(request.tag, 0);
}

function hasSameOids({ oids }: PduRequest, { varbinds, bytes, ranges }: PduReply): boolean {
  if (varbinds.length !== oids.length) return false;
  return oids.every(
    (oid, i) => oid.length === ranges.ends[i]! - ranges.starts[i]! && compare(bytes, ranges, i, oid) === 0,
  );
}

/** Puts the varbinds into the requested order; false when they are not the requested ones. */
function sortLike({ oids }: PduRequest, { varbinds, bytes, ranges }: PduReply): boolean {
  if (varbinds.length !== oids.length) return false;
  const sorted: Varbind[] = [];
  for (const oid of oids) {
    const found = varbinds.findIndex((_, i) => compare(bytes, ranges, i, oid) === 0);
    if (found < 0) return false;
    sorted.push(varbinds[found]!);
  }
  varbinds.splice(0, varbinds.length, ...sorted);
  return true;
}

/** A reply to GETNEXT has one varbind per OID; a reply to GETBULK has N + M·R or fewer, even none (RFC 3416 §4.2.3). */
function hasLayout(request: PduRequest, { varbinds }: PduReply): boolean {
  const { oids, nonRepeaters, maxRepetitions } = request;
  if (request.tag === berTag.getNextRequest) return varbinds.length === oids.length;
  return varbinds.length <= nonRepeaters + (oids.length - nonRepeaters) * maxRepetitions;
}

/** Whether every OID is greater than the requested one, or at the end of the MIB. */
function follows(request: PduRequest, { varbinds, bytes, ranges }: PduReply): boolean {
  const { oids, nonRepeaters } = request;
  const repeaters = oids.length - nonRepeaters;
  const isBulk = request.tag === berTag.getBulkRequest;
  const compared = request.comparesRows ? Math.min(oids.length, varbinds.length) : varbinds.length;
  for (let i = 0; i < compared; i++) {
    if (varbinds[i]!.type === 'endOfMibView') continue;
    const asked = !isBulk || i < nonRepeaters ? i : nonRepeaters + ((i - nonRepeaters) % repeaters);
    if (compare(bytes, ranges, i, oids[asked]!) <= 0) return false;
  }
  return true;
}

function compare(bytes: Uint8Array, ranges: OidRanges, index: number, oid: Uint8Array): number {
  return compareOidBytes(bytes, ranges.starts[index]!, ranges.ends[index]!, oid, 0, oid.length);
}
