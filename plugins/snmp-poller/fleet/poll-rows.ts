import type { CompiledObject } from '../../../src/definitions/index.ts';
import type { Batch, Inventory, ObjectInventory } from '../../../src/index.ts';
import type { Device } from '../../device-registry/service.ts';
import { type DeviceTools, toolsForGroups } from '../device/device-tools.ts';
import { PolledDevice } from '../device/polled-device.ts';
import type { ObjectSelection } from '../plan/object-selection.ts';

/** Objects, and the instances to poll of each; undefined: all that the last discovery found. */
export type WantedRows = ReadonlyMap<string, ReadonlySet<string> | undefined>;

export interface RowParts {
  readonly tools: DeviceTools;
  readonly objects: readonly CompiledObject[];
  readonly everyMsByType: ObjectSelection['everyMsByType'];
  /** The notification that asks for it. */
  readonly trapId: string | undefined;
}

/** Polls single rows of a device once, beside its schedule: its slots and the rates of its counters stay as they are. */
export async function pollRows(
  device: Device,
  wanted: WantedRows,
  { tools, objects, everyMsByType, trapId }: RowParts,
): Promise<readonly Batch[]> {
  const mark = (batch: Batch): Batch => (trapId === undefined ? batch : { ...batch, trapId });
  const key = JSON.stringify([...wanted].map(([id, instances]) => [id, instances && [...instances]]));
  const polled = new PolledDevice(device, {
    ...toolsForGroups(tools, []),
    select: () => ({ objects, everyMsByType, wordings: new Map(), key }),
    findInventory(of) {
      const inventory = tools.findInventory(of);
      return inventory && restrict(inventory, wanted);
    },
    requestDiscovery: () => {},
    push: (batch) => tools.push(mark(batch)),
  });
  try {
    return (await polled.becomeReady()) ? (await polled.pollNow()).map(mark) : [];
  } finally {
    await polled.close();
  }
}

function restrict(inventory: Inventory, wanted: WantedRows): Inventory {
  const objects = new Map<string, ObjectInventory>();
  for (const [id, instances] of wanted) {
    const known = inventory.objects.get(id);
    if (known !== undefined) objects.set(id, instances === undefined ? known : pick(known, instances));
  }
  return { ...inventory, objects };
}

function pick(known: ObjectInventory, wanted: ReadonlySet<string>): ObjectInventory {
  const positions = known.instances.flatMap((instance, position) => (wanted.has(instance) ? [position] : []));
  const overriding: Record<string, true | readonly number[]> = {};
  for (const [attribute, where] of Object.entries(known.overriding)) {
    overriding[attribute] =
      where === true ? true : positions.flatMap((position, row) => (where.includes(position) ? [row] : []));
  }
  return { ...known, instances: positions.map((position) => known.instances[position]!), overriding };
}
