import type { Inventory, InventoryCut } from '../../../src/index.ts';

/** The most that one device may take, and all devices together. */
export interface BudgetLimits {
  readonly maxInstances: number;
  /** Memory for its inventory and for polling it, as `weighInstance` estimates it. */
  readonly maxBytes: number;
  readonly maxSeconds: number;
  readonly maxTotalBytes: number;
}

type Limit = InventoryCut['limit'];

/** An instance as an object and in lists; a value in a compiled request, in slots and in a batch. Measured. */
const instanceBytes = 40;
const valueBytes = 50;
/** The text of an index has about two characters for each encoded octet. */
const charactersPerOctet = 2;
/** A device that takes less than this is never cut because of the other devices. */
const smallDeviceBytes = 1_048_576;
/** Half of a table is of little use: polling all tables that were cut may take this part of the memory of the device. */
const cutMemoryPart = 1 / 8;

/** The memory of an instance whose text has this length: itself, and a value for each attribute that is polled there. */
export function weighInstance(length: number, attributes: number): number {
  return length + instanceBytes + attributes * (length / charactersPerOctet + valueBytes);
}

/** The memory of an inventory and of polling it. `attributesOf` returns the number of attributes of an object. */
export function weighInventory(
  { objects, contexts }: Pick<Inventory, 'objects' | 'contexts'>,
  attributesOf: (object: string) => number,
): number {
  let bytes = 0;
  for (const found of [objects, ...(contexts?.values() ?? [])]) {
    for (const [id, { instances }] of found) {
      const attributes = attributesOf(id);
      for (const text of instances) bytes += weighInstance(text.length, attributes);
    }
  }
  return bytes;
}

/** The memory of all inventories, and of the discoveries under way. */
export interface TotalMemory {
  readonly bytes: number;
  /** Counts the memory of a discovery under way; a negative number gives it back. */
  take(bytes: number): void;
}

/**
 * What the discovery of one device may take: a share of 1, which tables take by their instances or by their memory, whichever is more.
 */
export class DeviceBudget {
  readonly #limits: BudgetLimits;
  readonly #total: TotalMemory;
  readonly #now: () => number;
  readonly #endMs: number;
  #left = 1;
  #bytes = 0;

  /** @param now milliseconds of the monotonic clock */
  constructor(limits: BudgetLimits, total: TotalMemory, now: () => number) {
    this.#limits = limits;
    this.#total = total;
    this.#now = now;
    this.#endMs = now() + 1_000 * limits.maxSeconds;
  }

  /** The share that is left. */
  get left(): number {
    return this.#left;
  }

  get leftMs(): number {
    return Math.max(0, this.#endMs - this.#now());
  }

  /** Whether all devices together have reached their limit, and this one is not small. */
  get isMemoryShort(): boolean {
    return this.#total.bytes >= this.#limits.maxTotalBytes && this.#bytes >= smallDeviceBytes;
  }

  /** What all tables that were cut may take together. */
  get maxCutBytes(): number {
    return this.isMemoryShort ? smallDeviceBytes : cutMemoryPart * this.#limits.maxBytes;
  }

  shareOf(instances: number, bytes: number): number {
    return Math.max(instances / this.#limits.maxInstances, bytes / this.#limits.maxBytes);
  }

  /** How many instances this share allows. */
  instancesIn(share: number): number {
    return Math.floor(share * this.#limits.maxInstances);
  }

  takeBytes(bytes: number): void {
    this.#bytes += bytes;
    this.#total.take(bytes);
  }

  spend(share: number): void {
    this.#left -= share;
  }

  /** Gives back the memory of the discovery: what is kept is counted with the inventory. */
  end(): void {
    this.#total.take(-this.#bytes);
    this.#bytes = 0;
  }

  /** The limit that these tables have reached together. */
  findLimit(tables: readonly { readonly rows: number; readonly bytes: number }[]): Limit {
    if (this.isMemoryShort) return 'max_total_bytes';
    const { maxInstances, maxBytes } = this.#limits;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
    return rows / maxInstances >= bytes / maxBytes ? 'max_instances' : 'max_bytes';
  }

  describe(limit: Limit): Pick<InventoryCut, 'limit' | 'value'> {
    const { maxInstances, maxBytes, maxSeconds, maxTotalBytes } = this.#limits;
    const values = {
      max_instances: maxInstances,
      max_bytes: maxBytes,
      max_seconds: maxSeconds,
      max_total_bytes: maxTotalBytes,
    };
    return { limit, value: values[limit] };
  }
}
