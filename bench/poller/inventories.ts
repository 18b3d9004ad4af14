import { deviceKey, type Inventory } from '../../src/index.ts';
import { encodeInventory } from '../../src/model/index.ts';
import { Journal } from '../../src/storage/journal.ts';
import { stateOf } from './bench-folder.ts';
import { type BenchDevice, interfaceObjects } from './interface-definitions.ts';

/** Writes the inventories of these devices to the state directory, each with this number of interfaces. */
export function writeInventories(folder: string, devices: readonly BenchDevice[], interfaces: number): void {
  const { journal } = Journal.open(`${stateOf(folder)}/snmp-discovery/inventories.journal`, {
    groupMs: 60_000,
    onError: (error) => {
      throw error;
    },
  });
  for (const [i, device] of devices.entries()) {
    journal.set(deviceKey(device), encodeInventory(inventoryOf(device, interfaces)));
    if (i % 1_000 === 0) journal.flush();
  }
  journal.close();
}

function inventoryOf({ ip }: BenchDevice, interfaces: number): Inventory {
  const instances = Array.from({ length: interfaces }, (_, row) => String(row + 1));
  return {
    version: 1,
    discoveredMs: Date.now(),
    generation: 1,
    sysObjectId: undefined,
    sysUpTime: undefined,
    address: ip,
    credential: 0,
    deviceGroups: ['switch'],
    objects: new Map(interfaceObjects.map((id) => [id, { hash: 'bench', instances, overriding: {} }])),
  };
}
