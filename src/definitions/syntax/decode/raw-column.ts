/**
 * Values of one column as they came from the wire, one row per instance. The tag says where the value of a row is. Numbers
 * are in `words`, the low word of row r at 2r and the high word at 2r + 1: sign-extended for integers, the raw bits for
 * floats. All other values are in `octets`: text, and the content octets of an OID, an address or an Opaque.
 */
export interface RawColumn {
  readonly count: number;
  readonly words: Uint32Array;
  /** One `rawTag` per row. */
  readonly tags: Uint8Array;
  readonly octets: readonly Octets[];
}

/** As bytes, or as a string with one octet per character. */
export type Octets = Uint8Array | string | undefined;

/** The identifier octet of a value (RFC 2578 §2); for what an Opaque wraps, the second octet of its inner tag. */
export const rawTag = {
  integer: 0x02,
  octetString: 0x04,
  objectIdentifier: 0x06,
  ipAddress: 0x40,
  counter32: 0x41,
  gauge32: 0x42,
  timeTicks: 0x43,
  opaque: 0x44,
  nsapAddress: 0x45,
  counter64: 0x46,
  uInteger32: 0x47,
  opaqueCounter64: 0x76,
  float: 0x78,
  double: 0x79,
  int64: 0x7a,
  uInt64: 0x7b,
} as const;

/** Whether values with this tag are in `octets`. */
export function holdsOctets(tag: number | undefined): boolean {
  return octetTags.has(tag);
}

const octetTags: ReadonlySet<number | undefined> = new Set([
  rawTag.octetString,
  rawTag.objectIdentifier,
  rawTag.ipAddress,
  rawTag.opaque,
  rawTag.nsapAddress,
]);

/** The octets of a row; undefined for a number. */
export function octetsAt(raw: RawColumn, row: number): Uint8Array | undefined {
  const tag = raw.tags[row];
  const octets = holdsOctets(tag) ? raw.octets[row] : undefined;
  if (typeof octets === 'string') return Buffer.from(octets, 'latin1');
  if (octets !== undefined || tag !== rawTag.ipAddress) return octets;
  const address = raw.words[2 * row] ?? 0;
  return Uint8Array.of(address >>> 24, (address >>> 16) & 0xff, (address >>> 8) & 0xff, address & 0xff);
}
