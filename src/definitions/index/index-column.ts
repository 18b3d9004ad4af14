import { type RawColumn, rawTag } from '../syntax/decode/raw-column.ts';
import { isInteger } from './index-arcs.ts';
import type { IndexType, IndexValue } from './index-part.ts';

/** The values of one index part in the form of a polled column, so that every syntax can decode them. */
export function rawIndexColumn(type: IndexType, values: readonly (IndexValue | undefined)[]): RawColumn {
  return {
    count: values.length,
    words: Uint32Array.from(values.flatMap((value) => [typeof value === 'number' ? value : 0, 0])),
    tags: new Uint8Array(values.length).fill(tagOf(type)),
    octets: values.map((value) =>
      value === undefined || typeof value === 'number' ? undefined : octetsOf(type, value),
    ),
  };
}

function tagOf(type: IndexType): number {
  if (isInteger(type)) return rawTag.gauge32;
  if (type === 'IpAddress') return rawTag.ipAddress;
  return isOid(type) ? rawTag.objectIdentifier : rawTag.octetString;
}

function isOid(type: IndexType): boolean {
  return type === 'ObjectIdentifier' || type === 'ImplicitObjectIdentifier';
}

function octetsOf(type: IndexType, arcs: readonly number[]): Uint8Array {
  return isOid(type) ? oidContent(arcs) : Uint8Array.from(arcs);
}

/** BER content octets (X.690 §8.19.4). Empty for arcs that are not an OID, which no syntax decodes. */
function oidContent(arcs: readonly number[]): Uint8Array {
  const [first = 3, second = 0, ...rest] = arcs;
  if (arcs.length < 2 || first > 2 || (first < 2 && second > 39)) return new Uint8Array(0);
  return Uint8Array.from([40 * first + second, ...rest].flatMap(sevenBits));
}

function sevenBits(arc: number): number[] {
  const octets = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
    octets.unshift((left % 128) | 0x80);
  }
  return octets;
}
