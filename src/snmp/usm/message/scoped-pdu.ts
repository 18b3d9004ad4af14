import type { BerReader } from '../../codec/ber-reader.ts';
import { berTag } from '../../codec/ber-tag.ts';
import type { DecodeFault } from '../../codec/decode-fault.ts';

/** A PDU and the context it belongs to (RFC 3412 §6.8), as positions in `octets`. */
export interface ScopedPdu {
  readonly octets: Buffer;
  readonly engineIdStart: number;
  readonly engineIdEnd: number;
  readonly contextStart: number;
  readonly contextEnd: number;
  readonly pduTag: number;
  /** The PDU with its tag and length. */
  readonly pduStart: number;
  readonly pduEnd: number;
}

/** Octets after the scoped PDU are accepted: they may be the padding of a block cipher. */
export function readScopedPdu(
  reader: BerReader,
  octets: Buffer,
  start: number,
  end: number,
): ScopedPdu | DecodeFault {
  reader.open(octets, start, end);
  reader.enter(berTag.sequence);
  reader.expectHeader(berTag.octetString);
  const engineIdStart = reader.position;
  reader.position += reader.length;
  const engineIdEnd = reader.position;
  reader.expectHeader(berTag.octetString);
  const contextStart = reader.position;
  reader.position += reader.length;
  const pduStart = reader.position;
  const pduTag = reader.readHeader();
  reader.position += reader.length;
  const pduEnd = reader.position;
  if (pduEnd !== reader.end && !reader.ignoresRest) reader.fail('trailing');
  return (
    reader.fault ?? {
      octets,
      engineIdStart,
      engineIdEnd,
      contextStart,
      contextEnd: pduStart,
      pduTag,
      pduStart,
      pduEnd,
    }
  );
}
