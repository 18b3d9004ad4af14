/** What waits, by source. Sources are served in turn; when there is no room, the source with most gives way. */
export class FairQueue<Item> {
  readonly #max: number;
  readonly #rings = new Map<string, { items: Item[]; from: number }>();
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
      ring = { items: [], from: 0 };
      this.#rings.set(source, ring);
    }
    ring.items.push(item);
    this.#size++;
    return this.#size > this.#max ? this.#dropLargest() : undefined;
  }

  /** One item of the source whose turn it is. */
  take(): Item | undefined {
    for (const [source, ring] of this.#rings) {
      const item = this.#shift(source, ring);
      // It goes to the end of the turns.
      if (this.#rings.delete(source) && ring.from < ring.items.length) this.#rings.set(source, ring);
      return item;
    }
    return undefined;
  }

  #dropLargest(): Item {
    let largest: [string, { items: Item[]; from: number }] | undefined;
    for (const entry of this.#rings) {
      if (largest === undefined || lengthOf(entry[1]) > lengthOf(largest[1])) largest = entry;
    }
    return this.#shift(...largest!);
  }

  #shift(source: string, ring: { items: Item[]; from: number }): Item {
    const item = ring.items[ring.from]!;
    ring.from++;
    this.#size--;
    if (ring.from === ring.items.length) this.#rings.delete(source);
    else if (ring.from > 1_024 && ring.from * 2 > ring.items.length) {
      ring.items = ring.items.slice(ring.from);
      ring.from = 0;
    }
    return item;
  }
}

function lengthOf({ items, from }: { readonly items: readonly unknown[]; readonly from: number }): number {
  return items.length - from;
}
