import { compareOidBytes } from '../../../snmp/codec/oid-bytes.ts';

/**
 * The answers of one device, in the order of their OIDs. Every entry is a varbind as it is sent, so that answering is copying.
 * Duplicates stay next to each other: a lookup finds the last one, a walk returns the first one, as in snmpsim. Immutable; any
 * number of agents may serve one recording.
 */
export class Recording {
  /** Its origin, for messages. */
  readonly name: string;
  readonly entries: Buffer;
  readonly #starts: Uint32Array;

  /** Entry `i` is `entries[starts[i], starts[i + 1])`. */
  constructor(name: string, entries: Buffer, starts: Uint32Array) {
    this.name = name;
    this.entries = entries;
    this.#starts = starts;
  }

  /** How many varbinds it contains. */
  get size(): number {
    return this.#starts.length - 1;
  }

  startOf(position: number): number {
    return this.#starts[position]!;
  }

  endOf(position: number): number {
    return this.#starts[position + 1]!;
  }

  /** Where the content octets of the entry's OID start; they end at `oidEndOf`. */
  oidStartOf(position: number): number {
    return contentStart(this.entries, contentStart(this.entries, this.startOf(position)));
  }

  oidEndOf(position: number): number {
    return contentEnd(this.entries, contentStart(this.entries, this.startOf(position)));
  }

  /** The position of the OID in `bytes[start, end)`. */
  find(bytes: Uint8Array, start = 0, end = bytes.length): number | undefined {
    const position = this.positionAfter(bytes, start, end) - 1;
    if (position < 0) return undefined;
    const { entries } = this;
    const isEqual =
      entries.compare(bytes, start, end, this.oidStartOf(position), this.oidEndOf(position)) === 0;
    return isEqual ? position : undefined;
  }

  /** The position of the first OID greater than the one in `bytes[start, end)`; `size` when there is none. */
  positionAfter(bytes: Uint8Array, start = 0, end = bytes.length): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareOidBytes(
        this.entries,
        this.oidStartOf(middle),
        this.oidEndOf(middle),
        bytes,
        start,
        end,
      );
      if (order > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The positions of everything at or below `root`: from the first up to, not including, the second. */
  rangeUnder(root: Uint8Array): readonly [number, number] {
    const isUnder = (position: number) => {
      const start = this.oidStartOf(position);
      const end = start + root.length;
      return end <= this.oidEndOf(position) && this.entries.compare(root, 0, root.length, start, end) === 0;
    };
    let first = this.positionAfter(root);
    while (first > 0 && isUnder(first - 1)) first--;
    let low = first;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isUnder(middle)) low = middle + 1;
      else high = middle;
    }
    return [first, low];
  }
}

/** The position after tag and length of the element at `at`. Waywiser's own writer made it, so nothing is checked. */
function contentStart(bytes: Uint8Array, at: number): number {
  const length = bytes[at + 1]!;
  return at + (length > 0x7f ? 2 + (length & 0x7f) : 2);
}

function contentEnd(bytes: Uint8Array, at: number): number {
  let length = bytes[at + 1]!;
  const start = contentStart(bytes, at);
  if (length > 0x7f) {
    length = 0;
    for (let i = at + 2; i < start; i++) length = length * 256 + bytes[i]!;
  }
  return start + length;
}
