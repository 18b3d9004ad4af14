import { argv, exit } from 'node:process';
import { measure } from '../snmp/load.ts';
import { deviceRegistryToken, pollerToken, snmpClientToken, startCollector } from './start-collector.ts';

/** usage: poll-cost-child FOLDER IN_FLIGHT. The whole collector: prints the cost of the third poll of every device. */
const folder = argv[2]!;
const inFlight = Number(argv[3]);
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
await pollAll();
await pollAll();
const cost = await measure(pollAll);
const { timeouts } = collector.getService(snmpClientToken).counters();
console.log(JSON.stringify({ ...cost, timeouts, rssMiB: process.memoryUsage().rss >> 20 }));
exit(0);
