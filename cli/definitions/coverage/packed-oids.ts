import type { OidArcs } from './oid-arcs.ts';

/** OIDs in their order. Of each, only the arcs that differ from the OID before are kept: about four octets per OID. */
export class PackedOids {
  size = 0;
  #octets = new Uint8Array(1 << 16);
  #used = 0;
  /** Where the arcs of each OID start in the octets. */
  #starts = new Uint32Array(1 << 12);
  /** How many arcs each OID shares with the one before. */
  #shared = new Uint8Array(1 << 12);
  #lengths = new Uint8Array(1 << 12);

  /** How much memory the OIDs take. */
  get heldBytes(): number {
    return this.#octets.length + this.#starts.byteLength + this.#shared.length + this.#lengths.length;
  }

  /** Adds an OID; `shared` says how many arcs it has in common with the one added before. */
  add({ arcs, length }: Pick<OidArcs, 'arcs' | 'length'>, shared: number): void {
    this.#makeRoom(length - shared);
    this.#starts[this.size] = this.#used;
    this.#shared[this.size] = shared;
    this.#lengths[this.size] = length;
    for (let depth = shared; depth < length; depth++) this.#writeArc(arcs[depth]!);
    this.size++;
  }

  sharedOf(position: number): number {
    return this.#shared[position]!;
  }

  lengthOf(position: number): number {
    return this.#lengths[position]!;
  }

  /** Overwrites the arcs of the OID before with those of this one. */
  readArcs(position: number, arcs: Float64Array): void {
    const length = this.#lengths[position]!;
    let at = this.#starts[position]!;
    for (let depth = this.#shared[position]!; depth < length; depth++) {
      let arc = 0;
      let octet: number;
      do {
        octet = this.#octets[at++]!;
        arc = arc * 128 + (octet & 0x7f);
      } while (octet > 0x7f);
      arcs[depth] = arc;
    }
  }

  #writeArc(arc: number): void {
    let divisor = 1;
    while (arc / divisor >= 128) divisor *= 128;
    for (; divisor > 1; divisor /= 128) {
      this.#octets[this.#used++] = (Math.floor(arc / divisor) % 128) | 0x80;
    }
    this.#octets[this.#used++] = arc % 128;
  }

  #makeRoom(arcs: number): void {
    const maxArcOctets = 5;
    if (this.#used + arcs * maxArcOctets > this.#octets.length) this.#octets = doubled(this.#octets);
    if (this.size < this.#shared.length) return;
    this.#shared = doubled(this.#shared);
    this.#lengths = doubled(this.#lengths);
    const starts = new Uint32Array(this.#starts.length * 2);
    starts.set(this.#starts);
    this.#starts = starts;
  }
}

function doubled(octets: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(octets.length * 2);
  larger.set(octets);
  return larger;
}
