interface Ring<Item> {
  readonly source: string;
  items: Item[];
  from: number;
}

/** What waits, by source. Sources are served in turn; when there is no room, the source with most gives way. */
export class FairQueue<Item> {
  readonly #max: number;
  readonly #rings = new Map<string, Ring<Item>>();
  /** The rings by how much waits in them, so that the largest is found without a search among all sources that someone invents. */
  readonly #bySize = new Map<number, Set<Ring<Item>>>();
  #largest = 0;
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the item that gave way: the oldest one of the source with most. */
  add(source: string, item: Item): Item | undefined {
    let ring = this.#rings.get(source);
    if (ring === undefined) {
      ring = { source, items: [], from: 0 };
      this.#rings.set(source, ring);
    }
    ring.items.push(item);
    this.#size++;
    this.#sort(ring, sizeOf(ring) - 1);
    return this.#size > this.#max ? this.#dropLargest() : undefined;
  }

  /** One item of the source whose turn it is. */
  take(): Item | undefined {
    for (const [source, ring] of this.#rings) {
      const item = this.#shift(ring);
      // It goes to the end of the turns.
      if (this.#rings.delete(source) && sizeOf(ring) > 0) this.#rings.set(source, ring);
      return item;
    }
    return undefined;
  }

  #dropLargest(): Item {
    const [ring] = this.#bySize.get(this.#largest)!;
    return this.#shift(ring!);
  }

  #shift(ring: Ring<Item>): Item {
    const item = ring.items[ring.from]!;
    ring.from++;
    this.#size--;
    this.#sort(ring, sizeOf(ring) + 1);
    if (ring.from === ring.items.length) this.#rings.delete(ring.source);
    else if (ring.from > 1_024 && ring.from * 2 > ring.items.length) {
      ring.items = ring.items.slice(ring.from);
      ring.from = 0;
    }
    return item;
  }

  /** Puts the ring to those of its size. It had one item more or less before. */
  #sort(ring: Ring<Item>, before: number): void {
    const size = sizeOf(ring);
    const old = this.#bySize.get(before);
    if (old?.delete(ring) && old.size === 0) this.#bySize.delete(before);
    if (size > 0) {
      const equals = this.#bySize.get(size);
      if (equals === undefined) this.#bySize.set(size, new Set([ring]));
      else equals.add(ring);
    }
    if (size > this.#largest || !this.#bySize.has(this.#largest)) this.#largest = size;
  }
}

function sizeOf({ items, from }: { readonly items: readonly unknown[]; readonly from: number }): number {
  return items.length - from;
}
