import { deviceKey, type Inventory } from '../../src/index.ts';
import { decodeInventory, encodeInventory, type Journal } from '../../src/internal.ts';
import type { Device } from '../device-registry/service.ts';

/** The inventories of all devices, in memory and in the state directory. */
export class InventoryStore {
  readonly #journal: Journal;
  readonly #inventories = new Map<string, Inventory>();

  constructor(journal: Journal, stored: ReadonlyMap<string, unknown>) {
    this.#journal = journal;
    for (const [key, value] of stored) {
      const inventory = decodeInventory(value);
      if (inventory !== undefined) this.#inventories.set(key, inventory);
    }
  }

  find(device: Device): Inventory | undefined {
    return this.#inventories.get(deviceKey(device.ref));
  }

  set(device: Device, inventory: Inventory): void {
    const key = deviceKey(device.ref);
    this.#inventories.set(key, inventory);
    this.#journal.set(key, encodeInventory(inventory));
    this.#journal.compactIfWasteful(this.#entries());
  }

  delete(device: Device): void {
    const key = deviceKey(device.ref);
    if (this.#inventories.delete(key)) this.#journal.delete(key);
  }

  *#entries(): Generator<readonly [key: string, value: unknown]> {
    for (const [key, inventory] of this.#inventories) yield [key, encodeInventory(inventory)];
  }
}
