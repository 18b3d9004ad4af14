import { maxOidArcs, type Oid, parseOid } from '../../model/oid.ts';

const maxArc = 0xffffffff;

/** The content octets of an OID; undefined when the text is not an OID, or one that BER cannot carry (0.40, 3.1). */
export function encodeOid(text: Oid): Buffer | undefined {
  const arcs = parseOid(text);
  if (arcs === undefined) return undefined;
  const [first, second = 0] = arcs as [number, number?];
  if (first > 2 || (first < 2 && second > 39)) return undefined;
  const octets: number[] = [];
  pushArc(octets, first * 40 + second);
  for (let i = 2; i < arcs.length; i++) pushArc(octets, arcs[i]!);
  return Buffer.from(octets);
}

/** The OID in `bytes[start, end)`; undefined when it is malformed. No octets read as 0.0, as in net-snmp. */
export function decodeOid(bytes: Uint8Array, start = 0, end = bytes.length): Oid | undefined {
  if (start === end) return '0.0';
  let text = '';
  let arc = 0;
  let arcs = 0;
  for (let at = start; at < end; at++) {
    const octet = bytes[at]!;
    // Multiplication, never `<<`: an arc may need 32 bits, and a hostile one more.
    arc = arc * 128 + (octet & 0x7f);
    if (arc > maxArc && (arcs > 0 || arc > maxArc + 80)) return undefined;
    if (octet > 0x7f) continue;
    if (arcs === 0) {
      text = arc < 40 ? `0.${arc}` : arc < 80 ? `1.${arc - 40}` : `2.${arc - 80}`;
      arcs = 2;
    } else {
      text += `.${arc}`;
      if (++arcs > maxOidArcs) return undefined;
    }
    arc = 0;
  }
  return bytes[end - 1]! > 0x7f ? undefined : text;
}

/** Whether no arc begins with padding (X.690 §8.19.2): only such OIDs have the order of their octets. */
export function isMinimalOid(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] === 0x80 && (at === start || bytes[at - 1]! < 0x80)) return false;
  }
  return true;
}

/** Compares the OIDs in two ranges of octets without reading their arcs. For minimal encodings. */
export function compareOidBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const shared = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < shared; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!;
    if (difference === 0) continue;
    // Within one arc the longer encoding is the greater number.
    const lengths = arcRest(a, aStart + i, aEnd) - arcRest(b, bStart + i, bEnd);
    return lengths === 0 ? difference : lengths;
  }
  return aEnd - aStart - (bEnd - bStart);
}

function arcRest(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at]! > 0x7f) at++;
  return at - start;
}

function pushArc(octets: number[], arc: number): void {
  let divisor = 1;
  while (arc / divisor >= 128) divisor *= 128;
  for (; divisor > 1; divisor /= 128) octets.push((Math.floor(arc / divisor) % 128) | 0x80);
  octets.push(arc % 128);
}
