import type { Inventory } from '../../src/index.ts';
import type { Device } from '../device-registry/service.ts';
import { isHostName, resolveAddresses } from './survey/resolve-addresses.ts';

export interface AddressTools {
  findInventory(device: Device): Inventory | undefined;
  /** The device's name leads to another address than the one it was discovered at. */
  onMoved(device: Device): void;
}

/** Looks whether silent devices that are known by a host name have moved. */
export class AddressWatch {
  readonly #tools: AddressTools;
  #isLooking = false;

  constructor(tools: AddressTools) {
    this.#tools = tools;
  }

  /** One name after the other, for name servers may be slow; does nothing while an earlier look goes on. */
  async look(devices: Iterable<Device>): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const device of devices) {
      const known = isHostName(device.ref) ? this.#tools.findInventory(device)?.address : undefined;
      if (known === undefined) continue;
      // A name that cannot be resolved now may be next time.
      const found = await resolveAddresses(device.ref).catch(() => [known]);
      if (!found.includes(known)) this.#tools.onMoved(device);
    }
    this.#isLooking = false;
  }
}
