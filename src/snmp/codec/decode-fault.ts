/** Why a datagram could not be decoded. Counted by cause; a bad packet is never an exception. */
export const decodeFaults = [
  /** A tag that the grammar does not allow here. */
  'tag',
  /** Indefinite, of more than four octets, or beyond the end of the container. */
  'length',
  /** Octets after the last element of an inner sequence. */
  'trailing',
  /** An integer of more than eight octets. */
  'integer',
  /** More than 128 arcs, an arc above 2^32-1, or an arc without an end. */
  'oid',
  /** A value whose size does not fit its type. */
  'value',
  /** A version other than 1, 2c and 3. */
  'version',
  /** More than 2,048 varbinds. */
  'varbindCount',
] as const;
export type DecodeFault = (typeof decodeFaults)[number];

export function isDecodeFault(reason: string): reason is DecodeFault {
  return (decodeFaults as readonly string[]).includes(reason);
}

/** Deviations that decoding tolerates: legal or harmless, but worth counting. */
export interface DecodeTally {
  /** Datagrams with octets after the outer SEQUENCE. */
  trailingBytes: number;
  /** Integers of no octets, read as 0. */
  emptyIntegers: number;
  /** Replies whose varbinds were in another order than requested, from targets that tolerate it. */
  reorderedReplies: number;
}

export function newDecodeTally(): DecodeTally {
  return { trailingBytes: 0, emptyIntegers: 0, reorderedReplies: 0 };
}
