import { maxOidArcs } from '../../../model/oid.ts';

/**
 * Reads decimal text directly from the octets of a line. Recordings have millions of lines, and creating a string for each part of
 * a line costs more than everything else.
 */
const dot = 0x2e;
const minus = 0x2d;
const zero = 0x30;
const maxArc = 0xffffffff;
/** Numbers with so many digits are exact in JavaScript. */
const maxDigits = 15;
/** The first arc takes the place of the first two; the others need at most five octets each. */
const octets = Buffer.alloc(5 * maxOidArcs);

/** The content octets of the OID in `text[start, end)`, as `encodeOid` returns them for a string. */
export function encodeOidText(text: Uint8Array, start: number, end: number): Buffer | undefined {
  let used = 0;
  let arcs = 0;
  let first = 0;
  for (let at = text[start] === dot && start < end ? start + 1 : start; at <= end; at++) {
    let arc = 0;
    const arcStart = at;
    for (; at < end && text[at] !== dot; at++) {
      const digit = text[at]! - zero;
      if (digit < 0 || digit > 9) return undefined;
      arc = arc * 10 + digit;
      if (arc > maxArc) return undefined;
    }
    if (at === arcStart || ++arcs > maxOidArcs) return undefined;
    if (arcs === 1) first = arc;
    else used = writeArc(arcs === 2 ? 40 * first + arc : arc, used);
    if (arcs <= 2 && (first > 2 || (arcs === 2 && first < 2 && arc > 39))) return undefined;
  }
  if (arcs === 1) used = writeArc(40 * first, 0);
  return Buffer.from(octets.subarray(0, used));
}

/** The whole number in `text[start, end)`; undefined when there is anything else, or so many digits that it might not be exact. */
export function readShortNumber(text: Uint8Array, start = 0, end = text.length): number | undefined {
  const isNegative = start < end && text[start] === minus;
  const first = isNegative ? start + 1 : start;
  if (first === end || end - start > maxDigits) return undefined;
  let value = 0;
  for (let at = first; at < end; at++) {
    const digit = text[at]! - zero;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return isNegative ? -value : value;
}

function writeArc(arc: number, at: number): number {
  let next = at;
  let divisor = 1;
  while (arc / divisor >= 128) divisor *= 128;
  for (; divisor > 1; divisor /= 128) octets[next++] = (Math.floor(arc / divisor) % 128) | 0x80;
  octets[next++] = arc % 128;
  return next;
}
