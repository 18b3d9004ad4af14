import { maxOidArcs, type Oid } from '../../../model/oid.ts';

/** The OID whose BER content octets these are; undefined when they are none. */
export function decodeOid(octets: Uint8Array): Oid | undefined {
  let text = '';
  let arc = 0;
  let arcs = 0;
  let isOpen = false;
  for (const octet of octets) {
    arc = arc * 128 + (octet & 0x7f);
    if (arc > 0xffffffff + 80) return undefined;
    isOpen = octet >= 0x80;
    if (isOpen) continue;
    text += arcs === 0 ? firstTwo(arc) : `.${arc}`;
    arcs += arcs === 0 ? 2 : 1;
    if (arcs > maxOidArcs) return undefined;
    arc = 0;
  }
  return isOpen || arcs === 0 ? undefined : text;
}

/** The first two arcs travel as one number (X.690 §8.19.4). */
function firstTwo(arc: number): string {
  const first = Math.min(Math.floor(arc / 40), 2);
  return `${first}.${arc - 40 * first}`;
}
