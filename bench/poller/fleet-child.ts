import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { argv, cpuUsage, exit, memoryUsage } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { SlotBook } from './slot-book.ts';
import { deviceRegistryToken, pollerToken, snmpClientToken, startCollector } from './start-collector.ts';

/** Measurements of a fleet that is polled on schedule. */
export interface FleetFigures {
  readonly varbinds: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
  readonly slots: number;
  readonly missedSlots: number;
  /** The time between a slot and the start of its poll. */
  readonly slotErrorP99Ms: number;
  readonly slotErrorMaxMs: number;
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
  /** How long the main thread was ready to run but had no processor, because other processes used it. */
  readonly starvedSeconds: number;
  readonly rssMiB: number;
  readonly packetsSent: number;
  /** Slots of the measured time without a reply at its end. */
  readonly unansweredPackets: number;
  readonly gaps: Readonly<Record<string, number>>;
}

/**
 * usage: fleet-child FOLDER WARM_SECONDS SECONDS [WATCHED]. Polls the devices of the folder on schedule. Prints the
 * cost, and the punctuality of devices whose names begin with WATCHED.
 */
const [, , folder = '', warm, seconds, watched = ''] = argv;
const windowMs = 1000 * Number(seconds);
/** Time for polls whose slots came at the end. */
const graceMs = 3_000;
const timerMs = 5;

const collector = await startCollector(folder);
const poller = collector.getService(pollerToken);
const client = collector.getService(snmpClientToken);
const devices = [...collector.getService(deviceRegistryToken).devices()];
const book = new SlotBook(collector.events, (device) => device.name.startsWith(watched));
await sleep(1000 * Number(warm));

book.open(
  devices.flatMap((device) =>
    poller.upcoming(device).map(({ plan, inMs }) => ({ device: device.ref, plan, dueMs: Date.now() + inMs })),
  ),
);
const delay = monitorEventLoopDelay({ resolution: timerMs });
delay.enable();
const before = {
  values: poller.counters().values,
  client: client.counters(),
  cpu: cpuUsage(),
  starved: starvedSeconds(),
};
const rss: number[] = [];
for (const begun = Date.now(); Date.now() - begun < windowMs; await sleep(1_000)) rss.push(memoryUsage().rss);
const { user, system } = cpuUsage(before.cpu);
delay.disable();
const starved = starvedSeconds() - before.starved;
const counters = poller.counters();
const { sent, received } = client.counters();
const packetsSent = sent - before.client.sent;
await sleep(graceMs);
const figures: FleetFigures = {
  varbinds: counters.values - before.values,
  cpuSeconds: (user + system) / 1e6,
  seconds: windowMs / 1000,
  ...book.close(windowMs),
  // The period of the timer itself is not a delay.
  loopDelayP99Ms: round(delay.percentile(99) / 1e6 - timerMs),
  loopDelayMaxMs: round(delay.max / 1e6 - timerMs),
  starvedSeconds: round(starved),
  rssMiB: Math.max(...rss) >> 20,
  packetsSent,
  unansweredPackets: packetsSent - (received - before.client.received),
  gaps: counters.gaps,
};
console.log(JSON.stringify(figures));
exit(0);

function round(value: number): number {
  return Math.round(10 * value) / 10;
}

/** Since the start of the process; 0 when the system does not report it. */
function starvedSeconds(): number {
  if (!existsSync('/proc/self/schedstat')) return 0;
  return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e9;
}
