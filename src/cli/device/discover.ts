import colours from 'picocolors';
import type { Inventory, InventoryChange } from '../../index.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { StatusLine } from '../terminal/status-line.ts';
import { formatTable } from '../terminal/table.ts';
import { runDiscovery } from './run-discovery.ts';
import { type OpenDevice, withDevice } from './with-device.ts';

export interface DiscoverOptions {
  readonly config: string;
  readonly json?: boolean;
}

/** `waywiser discover DEVICE`: looks at what a device has, and keeps none of it. */
export function discover(wanted: string, { config, json = false }: DiscoverOptions): Promise<number> {
  return withDevice({ config, wanted }, (open) => showDiscovery(open, json));
}

export async function showDiscovery(
  { device, discovery, definitions }: OpenDevice,
  json: boolean,
): Promise<number> {
  const { change, durationMs } = await runDiscovery(device, discovery, new StatusLine());
  const inventory = discovery.findInventory(device)!;
  const objects = [...inventory.objects].map(([id, { instances, partial }]) => ({
    id,
    instances: instances.length,
    added: change.added[id] ?? 0,
    removed: change.removed[id] ?? 0,
    partial,
  }));
  if (json) {
    const { sysObjectId, address, deviceGroups } = inventory;
    const shown = { device: device.ref, durationMs, sysObjectId, address, deviceGroups, objects };
    console.log(JSON.stringify(shown, undefined, 2));
    return exitCodes.done;
  }
  const found = objects.filter(({ instances, removed, partial }) => instances + removed > 0 || partial);
  const rows = found.map(({ id, instances, added, removed, partial }) => [
    id,
    String(instances),
    added === 0 ? '' : colours.green(`+${added}`),
    removed === 0 ? '' : colours.red(`-${removed}`),
    partial === undefined ? '' : colours.yellow(`not to the end: ${partial}`),
  ]);
  const parts = [
    describe(inventory, device.ref.name),
    formatTable(['object', 'instances', 'new', 'gone', ''], rows),
    summarize(change, found.length, definitions.current.number, durationMs),
  ];
  console.log(parts.join('\n\n'));
  return exitCodes.done;
}

function describe({ sysObjectId, address, deviceGroups }: Inventory, name: string): string {
  const identity = sysObjectId === undefined ? '' : `, sysObjectID ${sysObjectId}`;
  return `${colours.bold(name)} answered at ${address}${identity}\ndevice groups: ${deviceGroups.join(', ')}`;
}

function summarize(
  { objects, instances }: InventoryChange,
  found: number,
  generation: number,
  durationMs: number,
): string {
  return `${instances} instances of ${found} objects; ${objects - found} objects of its groups it does not have. Generation ${generation}, ${(durationMs / 1000).toFixed(1)} s.`;
}
