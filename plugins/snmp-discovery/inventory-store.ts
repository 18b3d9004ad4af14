import { deviceKey, type Inventory } from '../../src/index.ts';
import { decodeInventory, encodeInventory, writeInventory } from '../../src/model/index.ts';
import type { Journal } from '../../src/storage/index.ts';
import type { SliceTurns } from '../../src/timing/index.ts';
import type { Device } from '../device-registry/service.ts';
import type { TotalMemory } from './survey/device-budget.ts';

/** The inventories of all devices, in memory and in the state directory. */
export class InventoryStore {
  /** What the inventories and the discoveries under way take. */
  readonly memory: TotalMemory;
  readonly #journal: Journal;
  readonly #slices: SliceTurns;
  readonly #inventories = new Map<string, Inventory>();
  #bytes = 0;

  /** @param weigh estimates the memory of an inventory that was stored without it */
  constructor(
    journal: Journal,
    stored: ReadonlyMap<string, unknown>,
    slices: SliceTurns,
    weigh: (inventory: Inventory) => number,
  ) {
    const bytes = () => this.#bytes;
    this.memory = {
      get bytes() {
        return bytes();
      },
      take: (more) => {
        this.#bytes += more;
      },
    };
    this.#journal = journal;
    this.#slices = slices;
    for (const [key, value] of stored) {
      const inventory = decodeInventory(value);
      if (inventory === undefined) continue;
      this.#keep(key, inventory.bytes === undefined ? { ...inventory, bytes: weigh(inventory) } : inventory);
    }
  }

  /** How many inventories were cut, by the limit that they reached. */
  get cuts(): ReadonlyMap<string, number> {
    const cuts = new Map<string, number>();
    for (const { cut } of this.#inventories.values()) {
      if (cut !== undefined) cuts.set(cut.limit, (cuts.get(cut.limit) ?? 0) + 1);
    }
    return cuts;
  }

  find(device: Device): Inventory | undefined {
    return this.#inventories.get(deviceKey(device.ref));
  }

  /** Resolves when the inventory is in the journal. A long one is written between other work. */
  async set(device: Device, inventory: Inventory): Promise<void> {
    const key = deviceKey(device.ref);
    this.#keep(key, inventory);
    const line = await this.#slices.run(this.#journal.encode(key, writeInventory(inventory)));
    // It may have been deleted or replaced meanwhile.
    if (this.#inventories.get(key) !== inventory) return;
    this.#journal.setEncoded(key, line);
    this.#journal.compactIfWasteful(this.#entries());
  }

  delete(device: Pick<Device, 'ref'>): void {
    const key = deviceKey(device.ref);
    this.#bytes -= this.#inventories.get(key)?.bytes ?? 0;
    if (this.#inventories.delete(key)) this.#journal.delete(key);
  }

  #keep(key: string, inventory: Inventory): void {
    this.#bytes += (inventory.bytes ?? 0) - (this.#inventories.get(key)?.bytes ?? 0);
    this.#inventories.set(key, inventory);
  }

  *#entries(): Generator<readonly [key: string, value: unknown]> {
    for (const [key, inventory] of this.#inventories) yield [key, encodeInventory(inventory)];
  }
}
