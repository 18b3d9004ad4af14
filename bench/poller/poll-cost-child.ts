import { argv, exit } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { earlyWithinMs } from '../../plugins/snmp-poller/slot-schedule.ts';
import { measure } from '../snmp/load.ts';
import { deviceRegistryToken, pollerToken, snmpClientToken, startCollector } from './start-collector.ts';

/** usage: poll-cost-child FOLDER IN_FLIGHT. The whole collector: prints the cost of the third poll of every device. */
const folder = argv[2]!;
const inFlight = Number(argv[3]);
/** Time for the polls that the last early slots started. */
const graceMs = 5_000;
const collector = await startCollector(folder);
const devices = [...collector.getService(deviceRegistryToken).devices()];
const poller = collector.getService(pollerToken);

const pollAll = async () => {
  const before = poller.counters();
  let next = 0;
  const visit = async () => {
    while (next < devices.length) await poller.pollNow(devices[next++]!);
  };
  await Promise.all(Array.from({ length: inFlight }, visit));
  const { values, packets } = poller.counters();
  // Labels are read as values too.
  const labels = 2 * 48 * devices.length;
  return { varbinds: values - before.values + labels, packets: packets - before.packets };
};
const startedMs = performance.now();
await pollAll();
await pollAll();
// With such long intervals every device gets an early slot, which would be measured too.
await sleep(startedMs + earlyWithinMs + graceMs - performance.now());
const cost = await measure(pollAll);
const { timeouts } = collector.getService(snmpClientToken).counters();
console.log(JSON.stringify({ ...cost, timeouts, rssMiB: process.memoryUsage().rss >> 20 }));
exit(0);
