import { monitorEventLoopDelay } from 'node:perf_hooks';
import { argv, cpuUsage, exit, memoryUsage } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { StallWatch } from '../../../test/support/stall-watch.ts';
import { SlotBook } from '../slot-book.ts';
import { deviceRegistryToken, discoveryToken, pollerToken, startCollector } from '../start-collector.ts';

/** What honest devices and the process see. */
export interface HostileFigures {
  readonly slots: number;
  readonly missedSlots: number;
  readonly slotErrorP99Ms: number;
  readonly slotErrorMaxMs: number;
  /** The longest work without a break, by clock and processor time. */
  readonly stallMs: number;
  readonly stallP99Ms: number;
  readonly loopDelayMaxMs: number;
  readonly rssMiB: number;
  readonly heapMiB: number;
  readonly cpuSeconds: number;
  readonly discoveries: number;
  readonly inventories: Readonly<Record<string, number>>;
}

/** usage: hostile-child FOLDER SECONDS. Polls on schedule from the start, while devices without inventories are discovered. */
const [, , folder = '', seconds] = argv;
const windowMs = 1_000 * Number(seconds);
const collector = await startCollector(folder);
const poller = collector.getService(pollerToken);
const discovery = collector.getService(discoveryToken);
const devices = [...collector.getService(deviceRegistryToken).devices()];
const isHonest = ({ name }: { readonly name: string }) => name.startsWith('honest');
const book = new SlotBook(collector.events, isHonest);
await sleep(1_000);
book.open(
  devices
    .filter(({ ref }) => isHonest(ref))
    .flatMap((device) =>
      poller
        .upcoming(device)
        .map(({ plan, inMs }) => ({ device: device.ref, plan, dueMs: Date.now() + inMs })),
    ),
);
let discoveries = 0;
collector.events.on('discovery.completed', () => {
  discoveries++;
});
const stalls = new StallWatch();
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const before = cpuUsage();
let [rss, heap] = [0, 0];
for (const begun = Date.now(); Date.now() - begun < windowMs; await sleep(100)) {
  const now = memoryUsage();
  rss = Math.max(rss, now.rss);
  heap = Math.max(heap, now.heapUsed);
}
const { user, system } = cpuUsage(before);
delay.disable();
const [stallMs, stallP99Ms] = [stalls.longestMs, stalls.percentileMs(99)];
stalls.close();
await sleep(3_000);
const figures: HostileFigures = {
  ...book.close(windowMs),
  stallMs: Math.round(stallMs),
  stallP99Ms: Math.round(stallP99Ms),
  loopDelayMaxMs: Math.round(delay.max / 1e6),
  rssMiB: rss >> 20,
  heapMiB: heap >> 20,
  cpuSeconds: Math.round((user + system) / 1e5) / 10,
  discoveries,
  inventories: Object.fromEntries(
    devices
      .filter(({ ref }) => !isHonest(ref))
      .map((device) => {
        const objects = discovery.findInventory(device)?.objects.values() ?? [];
        let instances = 0;
        for (const object of objects) instances += object.instances.length;
        return [device.ref.name, instances];
      }),
  ),
};
console.log(JSON.stringify(figures));
exit(0);
