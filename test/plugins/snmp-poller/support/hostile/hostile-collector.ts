import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { deviceRegistryToken } from '../../../../../plugins/device-registry/service.ts';
import { discoveryToken } from '../../../../../plugins/snmp-discovery/service.ts';
import { pollerToken } from '../../../../../plugins/snmp-poller/service.ts';
import { startTestCollector } from '../../../../../src/testing/index.ts';
import { StallWatch } from '../../../../support/stall-watch.ts';
import { pollingPlugins } from '../poller-stack.ts';

export interface HostileOutcome {
  /** Of the devices whose names begin with `honest`. */
  readonly polls: number;
  readonly skippedSlots: number;
  readonly failedPolls: number;
  /** The limits that devices have reached, by device. */
  readonly cuts: Readonly<Record<string, string>>;
  /** The warnings about that, by device. */
  readonly told: Readonly<Record<string, number>>;
  readonly instances: number;
  /** The longest work without a break in processor time. */
  readonly stallMs: number;
}

/** usage: hostile-collector FOLDER POLLS DEVICE…. Runs until the honest devices had so many polls each and these devices an inventory. */
const [, , folder = '', polls, ...awaited] = argv;
const collector = await startTestCollector({ plugins: pollingPlugins(folder) });
const devices = [...collector.getService(deviceRegistryToken).devices()];
const honest = devices.filter(({ ref }) => ref.name.startsWith('honest'));
const poller = collector.getService(pollerToken);
const discovery = collector.getService(discoveryToken);
const inventories = () =>
  devices.map((device) => [device.ref.name, discovery.findInventory(device)] as const);
const counters = () => honest.map((device) => poller.deviceCounters(device));
const stalls = new StallWatch();
/** The number of warnings by device. */
const countWarnings = () => {
  const told: Record<string, number> = {};
  for (const { message, device } of collector.logLines) {
    if (!String(message).startsWith('The inventory was cut ')) continue;
    told[String(device)] = (told[String(device)] ?? 0) + 1;
  }
  return told;
};
const isOver = () =>
  counters().every((counted) => (counted?.polls ?? 0) >= Number(polls)) &&
  inventories()
    .filter(([name]) => awaited.includes(name))
    // A warning follows its inventory.
    .every(
      ([name, inventory]) =>
        inventory !== undefined && (inventory.cut === undefined || countWarnings()[name] !== undefined),
    );
while (!isOver()) await sleep(100);
const stallMs = Math.round(stalls.longestMs);
stalls.close();
const sum = (of: (counted: NonNullable<ReturnType<typeof counters>[number]>) => number) =>
  counters().reduce((total, counted) => total + (counted === undefined ? 0 : of(counted)), 0);
const found = inventories();
const outcome: HostileOutcome = {
  polls: sum((counted) => counted.polls),
  skippedSlots: sum((counted) => counted.skippedSlots),
  failedPolls: sum((counted) => counted.failedPolls),
  cuts: Object.fromEntries(
    found.flatMap(([name, inventory]) => (inventory?.cut === undefined ? [] : [[name, inventory.cut.limit]])),
  ),
  told: countWarnings(),
  instances: Math.max(
    ...found.map(([, inventory]) =>
      [...(inventory?.objects.values() ?? [])].reduce((total, { instances }) => total + instances.length, 0),
    ),
  ),
  stallMs,
};
process.send?.(outcome, () => process.exit());
