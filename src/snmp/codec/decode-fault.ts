/** Why a datagram could not be decoded. Counted by cause; a bad packet is never an exception. */
export const decodeFaults = [
  /** A tag that the grammar does not allow here. */
  'tag',
  /** Indefinite, of more than four octets, or past the end of what holds it. */
  'length',
  /** Octets after the last element of an inner sequence. */
  'trailing',
  /** An integer of more than eight octets. */
  'integer',
  /** More than 128 arcs, an arc above 2^32-1, or an arc without an end. */
  'oid',
  /** A value whose size does not fit its type. */
  'value',
  /** A version that is none of 1, 2c and 3. */
  'version',
  /** More than 2,048 varbinds. */
  'varbinds',
] as const;
export type DecodeFault = (typeof decodeFaults)[number];

export function isDecodeFault(reason: string): reason is DecodeFault {
  return (decodeFaults as readonly string[]).includes(reason);
}

/** What decoding put up with: legal or harmless oddities worth counting. */
export interface DecodeTally {
  /** Datagrams with octets after the outer SEQUENCE. */
  trailingBytes: number;
  /** Integers of no octets, read as 0. */
  emptyIntegers: number;
  /** Replies whose varbinds stood in another order than asked, from targets that tolerate it. */
  reorderedReplies: number;
}

export function newDecodeTally(): DecodeTally {
  return { trailingBytes: 0, emptyIntegers: 0, reorderedReplies: 0 };
}
