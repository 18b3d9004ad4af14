import { monitorEventLoopDelay } from 'node:perf_hooks';
import { argv, cpuUsage, exit, memoryUsage } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { deviceRegistryToken, pollerToken, startCollector } from './start-collector.ts';

export interface StartFigures {
  /** From the start of the collector to a place in the schedule for every device. */
  readonly seconds: number;
  /** Until its plugins had started: definitions, devices and inventories are read. */
  readonly startedSeconds: number;
  readonly cpuSeconds: number;
  readonly longestStallMs: number;
  readonly rssMiB: number;
  readonly busiestOverMean: number;
}

const firstPollsSeconds = 50;

/** usage: start-child FOLDER. Starts a collector with the devices of the folder; prints the time until all of them are scheduled. */
const begunMs = performance.now();
const before = cpuUsage();
const delay = monitorEventLoopDelay({ resolution: 5 });
const collector = await startCollector(argv[2]!);
const startedSeconds = secondsSince();
delay.enable();
const devices = [...collector.getService(deviceRegistryToken).devices()];
const poller = collector.getService(pollerToken);
while (poller.counters().slots < devices.length) await sleep(100);
delay.disable();
const { user, system } = cpuUsage(before);
const figures: StartFigures = {
  seconds: secondsSince(),
  startedSeconds,
  cpuSeconds: (user + system) / 1e6,
  longestStallMs: Math.round(delay.max / 1e6),
  rssMiB: memoryUsage().rss >> 20,
  busiestOverMean: busiestSecond(),
};
console.log(JSON.stringify(figures));
exit(0);

function secondsSince(): number {
  return Math.round(performance.now() - begunMs) / 1000;
}

/** The most slots in one second, divided by the mean, while first polls come: within a minute after a device is scheduled, which takes some seconds. */
function busiestSecond(): number {
  const polls = new Array<number>(firstPollsSeconds).fill(0);
  for (const device of devices) {
    for (const { inMs } of poller.upcoming(device)) {
      const second = Math.floor(Math.max(0, inMs) / 1000);
      if (second < firstPollsSeconds) polls[second]!++;
    }
  }
  const mean = polls.reduce((sum, each) => sum + each, 0) / firstPollsSeconds;
  return Number((Math.max(...polls) / mean).toFixed(3));
}
