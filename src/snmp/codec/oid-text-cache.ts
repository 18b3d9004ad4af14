import type { Oid } from '../../model/oid.ts';
import { lastArcStart } from './oid-before.ts';
import { decodeOid, isMinimalOid } from './oid-bytes.ts';

const slots = 128;
/** Longer OIDs are rare and are not cached; the bound also keeps every cached OID below 128 arcs. */
const maxOctets = 64;

interface Prefix {
  readonly octets: Uint8Array;
  readonly text: string;
}

/**
 * Decodes OIDs of tables quickly: neighbours share everything except the last arc, so the text in front of it is kept for
 * the last few columns. The cache is bounded, and octets are always compared. Encodings that are not minimal are rejected:
 * an agent could spell one OID in a hundred ways, each greater than the one before.
 */
export class OidTextCache {
  readonly #prefixes: (Prefix | undefined)[] = new Array(slots).fill(undefined);

  decode(bytes: Uint8Array, start: number, end: number): Oid | undefined {
    const last = lastArcStart(bytes, start, end);
    if (last === start || end - start > maxOctets || bytes[end - 1]! > 0x7f || end - last > 4) {
      return decodeMinimal(bytes, start, end);
    }
    if (bytes[last] === 0x80) return undefined;
    const prefix = this.#find(bytes, start, last);
    if (prefix === undefined) return undefined;
    let arc = 0;
    for (let at = last; at < end; at++) arc = (arc << 7) | (bytes[at]! & 0x7f);
    return `${prefix.text}.${arc}`;
  }

  #find(bytes: Uint8Array, start: number, end: number): Prefix | undefined {
    const slot = (bytes[end - 1]! + (end - start) * 37) % slots;
    const known = this.#prefixes[slot];
    if (known !== undefined && isEqual(known.octets, bytes, start, end)) return known;
    const text = decodeMinimal(bytes, start, end);
    if (text === undefined) return undefined;
    const prefix = { octets: Uint8Array.prototype.slice.call(bytes, start, end), text };
    this.#prefixes[slot] = prefix;
    return prefix;
  }
}

function decodeMinimal(bytes: Uint8Array, start: number, end: number): Oid | undefined {
  return isMinimalOid(bytes, start, end) ? decodeOid(bytes, start, end) : undefined;
}

function isEqual(octets: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (octets.length !== end - start) return false;
  for (let i = octets.length - 1; i >= 0; i--) if (octets[i] !== bytes[start + i]) return false;
  return true;
}
