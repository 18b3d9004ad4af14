import type { Oid } from '../../model/oid.ts';
import { lastArcStart } from './oid-before.ts';
import { decodeOid, isMinimalOid } from './oid-bytes.ts';

const slots = 128;
const maxTexts = 4_096;
/** The distance between the texts of two neighbouring columns: tables with fewer rows share the space without conflicts. */
const textsPerColumn = 97;
/** Longer OIDs are rare and are not cached; the bound also keeps every cached OID below 128 arcs. */
const maxOctets = 64;

/** What the OIDs of one column share: everything except the last arc. */
export interface OidStem {
  readonly octets: Uint8Array;
  /** Ends with a dot. */
  readonly text: string;
  readonly slot: number;
  /** The last arc that was read while each was greater than the one before. */
  highestArc: number;
  /** The column was read again from its start: it is worth keeping its texts. */
  isRepeated: boolean;
}

/**
 * Decodes OIDs of tables quickly. Neighbours share everything except the last arc, so the text in front of it is kept for
 * the last few columns. Where a column is read repeatedly, as from devices that are alike, whole texts are kept. The cache is
 * bounded, and octets are always compared. Encodings that are not minimal are rejected: an agent could spell one OID in a
 * hundred ways, each greater than the one before.
 */
export class OidTextCache {
  /** The parts of the OID that was decoded last; without a stem it was decoded without the cache. */
  stem: OidStem | undefined = undefined;
  lastArc = 0;
  readonly #stems: (OidStem | undefined)[] = new Array(slots).fill(undefined);
  readonly #texts: Oid[] = new Array(maxTexts).fill('');
  readonly #stemOfText: (OidStem | undefined)[] = new Array(maxTexts).fill(undefined);
  readonly #arcOfText = new Int32Array(maxTexts);

  decode(bytes: Uint8Array, start: number, end: number): Oid | undefined {
    const last = lastArcStart(bytes, start, end);
    this.stem = undefined;
    if (last === start || end - start > maxOctets || bytes[end - 1]! > 0x7f || end - last > 4) {
      return decodeMinimal(bytes, start, end);
    }
    if (bytes[last] === 0x80) return undefined;
    const stem = this.#find(bytes, start, last);
    if (stem === undefined) return undefined;
    let arc = 0;
    for (let at = last; at < end; at++) arc = (arc << 7) | (bytes[at]! & 0x7f);
    this.stem = stem;
    this.lastArc = arc;
    if (stem.isRepeated) return this.#textOf(stem, arc);
    stem.isRepeated = arc <= stem.highestArc;
    stem.highestArc = arc;
    return stem.text + arc;
  }

  #textOf(stem: OidStem, arc: number): Oid {
    const place = (stem.slot * textsPerColumn + arc) % maxTexts;
    if (this.#stemOfText[place] === stem && this.#arcOfText[place] === arc) return this.#texts[place]!;
    const text = stem.text + arc;
    this.#texts[place] = text;
    this.#stemOfText[place] = stem;
    this.#arcOfText[place] = arc;
    return text;
  }

  #find(bytes: Uint8Array, start: number, end: number): OidStem | undefined {
    const slot = (bytes[end - 1]! + (end - start) * 37) % slots;
    const known = this.#stems[slot];
    if (known !== undefined && isEqual(known.octets, bytes, start, end)) return known;
    const text = decodeMinimal(bytes, start, end);
    if (text === undefined) return undefined;
    const octets = Uint8Array.prototype.slice.call(bytes, start, end);
    const stem = { octets, text: `${text}.`, slot, highestArc: -1, isRepeated: false };
    this.#stems[slot] = stem;
    return stem;
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
