/** The longest OID that SNMP allows. */
const maxArcs = 128;

/** The arcs of the OIDs of a stream, one after the other. Only the arcs that differ from the OID before are read. */
export class OidArcs {
  /** The first `length` are those of the current OID. */
  readonly arcs = new Float64Array(maxArcs + 1);
  length = 0;
  /** How many arcs at the start are those of the OID before. */
  shared = 0;
  #octets = new Uint8Array(5 * maxArcs);
  #octetCount = 0;
  /** Where the octets of each arc end. The first octets hold two arcs. */
  readonly #ends = new Uint16Array(maxArcs + 1);

  /** Goes on to an OID, given by its content octets. Returns false when it is smaller than the one before, or cannot be read. */
  next(oid: Uint8Array): boolean {
    const same = this.#countSameOctets(oid);
    const before = this.length;
    const firstBefore = this.arcs[0];
    let shared = before;
    while (shared > 0 && this.#ends[shared - 1]! > same) shared--;
    let length = shared;
    let arc = 0;
    for (let at = length === 0 ? 0 : this.#ends[length - 1]!; at < oid.length; at++) {
      arc = arc * 128 + (oid[at]! & 0x7f);
      if (oid[at]! > 0x7f) continue;
      if (length >= maxArcs) return false;
      if (length === 0) {
        if (before > 0 && arc < 40 * this.arcs[0]! + this.arcs[1]!) return false;
        const first = Math.min(2, Math.floor(arc / 40));
        length = this.#set(0, first, at + 1);
        arc -= 40 * first;
      }
      const isLater = length > shared || length >= before || arc >= this.arcs[length]!;
      if (!isLater) return false;
      length = this.#set(length, arc, at + 1);
      arc = 0;
    }
    if (length === shared && length < before) return false;
    this.#octets.set(oid);
    this.#octetCount = oid.length;
    this.length = length;
    // Two arcs share their octets, and yet the first may be the same.
    this.shared = shared === 0 && before > 0 && this.arcs[0] === firstBefore ? 1 : shared;
    return true;
  }

  #set(position: number, arc: number, end: number): number {
    this.arcs[position] = arc;
    this.#ends[position] = end;
    return position + 1;
  }

  #countSameOctets(oid: Uint8Array): number {
    const most = Math.min(oid.length, this.#octetCount);
    for (let at = 0; at < most; at++) if (oid[at] !== this.#octets[at]) return at;
    return most;
  }
}
