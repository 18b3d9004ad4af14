import type { Inventory } from '../../../src/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { DeviceTools } from '../device/device-tools.ts';

/**
 * The tools of one of a device's further SNMPv3 contexts: it is asked for in that context, and has the rows that were found
 * there. Its silence says nothing of the device, which the first context speaks for.
 */
export function toolsInContext(tools: DeviceTools, context: string): DeviceTools {
  const narrowed = new WeakMap<Inventory, Inventory>();
  const findInventory = (device: Device): Inventory | undefined => {
    const inventory = tools.findInventory(device);
    if (inventory === undefined) return undefined;
    const known = narrowed.get(inventory);
    if (known !== undefined) return known;
    const own = { ...inventory, objects: inventory.contexts?.get(context) ?? new Map() };
    narrowed.set(inventory, own);
    return own;
  };
  return {
    ...tools,
    findInventory,
    getTargets: (device, address) => tools.getTargets(device, address, context),
    reportContact(device, contact) {
      if (contact.answered) tools.reportContact(device, contact);
    },
  };
}
