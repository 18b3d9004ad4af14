import type { Batch, EventBus, Inventory, Logger } from '../../../src/index.ts';
import type { Shards } from '../../../src/sharding/index.ts';
import type { Target } from '../../../src/snmp/index.ts';
import type { Clock, Histogram, SliceTurns } from '../../../src/timing/index.ts';
import type { Contact, Device } from '../../device-registry/service.ts';
import type { ClientSession } from '../../snmp-client/service.ts';
import type { ObjectSelection } from '../plan/object-selection.ts';
import type { PlanCache } from '../plan/plan-cache.ts';
import type { PollTally } from '../poll-tally.ts';
import type { RecordAssembler } from '../record/record-assembler.ts';
import type { OpenSlot, SlotSchedule } from '../slot-schedule.ts';

export type DeviceSlot = Pick<OpenSlot, 'everyMs' | 'dueMs' | 'nextMs' | 'hasten' | 'skipUntil' | 'close'>;

/** Where polled devices get their slots. */
interface Schedule {
  readonly size: number;
  open(...parameters: Parameters<SlotSchedule['open']>): DeviceSlot;
}

/** Everything that all polled devices share. */
export interface DeviceTools {
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly plans: PlanCache;
  /** For the polls of long tables and their plans. */
  readonly slices: SliceTurns;
  readonly assembler: RecordAssembler;
  readonly events: EventBus;
  readonly log: Logger;
  readonly tally: PollTally;
  /** The most octets that the replies to one poll may have. */
  readonly maxPollBytes: number;
  readonly lateness: Histogram;
  readonly durations: Histogram;
  readonly roundTrips: Histogram;
  /** The number of the current definitions. */
  generation(): number;
  select(deviceGroups: readonly string[], inventory: Inventory): ObjectSelection;
  findInventory(device: Device): Inventory | undefined;
  getTargets(device: Device, address: string, context?: string): readonly Target[];
  open(target: Target): Promise<ClientSession>;
  reportContact(device: Device, contact: Contact): void;
  requestDiscovery(device: Device, cause: 'reset' | 'changed'): void;
  push(batch: Batch): void;
  /** Whether the pipeline currently accepts no more batches. */
  isPaused(): boolean;
  readonly shards: Pick<Shards, 'owns' | 'epochOf'>;
  nextSequence(): number;
}

/**
 * The tools of one of a device's further SNMPv3 contexts: its targets have that context, and its inventory has the rows that were
 * found there. Only the first context decides whether the device counts as silent.
 */
export function toolsInContext(tools: DeviceTools, context: string): DeviceTools {
  const inventories = new WeakMap<Inventory, Inventory>();
  const findInventory = (device: Device): Inventory | undefined => {
    const inventory = tools.findInventory(device);
    if (inventory === undefined) return undefined;
    const known = inventories.get(inventory);
    if (known !== undefined) return known;
    const own = { ...inventory, objects: inventory.contexts?.get(context) ?? new Map() };
    inventories.set(inventory, own);
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

/** The tools for polls of some device groups, whichever the device has. Such polls have no schedule. */
export function toolsForGroups(tools: DeviceTools, deviceGroups: readonly string[]): DeviceTools {
  const never = {
    dueMs: Number.POSITIVE_INFINITY,
    nextMs: Number.POSITIVE_INFINITY,
    hasten: () => {},
    skipUntil: () => {},
    close: () => {},
  };
  return {
    ...tools,
    schedule: { size: 0, open: (_, everyMs) => ({ ...never, everyMs }) },
    select: (_, inventory) => tools.select(deviceGroups, inventory),
  };
}
