import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import loader from '../../plugins/definitions-loader/index.ts';
import registry from '../../plugins/device-registry/index.ts';
import { deviceRegistryToken } from '../../plugins/device-registry/service.ts';
import httpRoutes from '../../plugins/http-routes/index.ts';
import client from '../../plugins/snmp-client/index.ts';
import { snmpClientToken } from '../../plugins/snmp-client/service.ts';
import discovery from '../../plugins/snmp-discovery/index.ts';
import { discoveryToken } from '../../plugins/snmp-discovery/service.ts';
import poller from '../../plugins/snmp-poller/index.ts';
import { pollerToken } from '../../plugins/snmp-poller/service.ts';
import { startTestCollector } from '../../src/testing/index.ts';
import { measure } from '../snmp/load.ts';
import { writeDefinitions } from './interface-definitions.ts';

/** usage: poller-child PORT DEVICES IN_FLIGHT. The whole collector: prints the cost of the third poll of every device. */
const [port, devices, inFlight] = argv.slice(2).map(Number) as [number, number, number];
const folder = mkdtempSync(join(tmpdir(), 'waywiser-bench-'));
writeDefinitions(folder, port, devices, 86_400);
const collector = await startTestCollector({
  plugins: [
    { plugin: loader, options: { directories: [folder] } },
    { plugin: registry },
    { plugin: client },
    { plugin: discovery, options: { starts_per_second: 1000, max_concurrent: inFlight } },
    { plugin: httpRoutes },
    { plugin: poller },
  ],
});
const { runs } = collector.getService(discoveryToken);
await Promise.all(runs.map(({ ended }) => ended));
const all = [...collector.getService(deviceRegistryToken).devices()];
const service = collector.getService(pollerToken);

const pollAll = async () => {
  const before = service.counters();
  let next = 0;
  const visit = async () => {
    while (next < all.length) await service.pollNow(all[next++]!);
  };
  await Promise.all(Array.from({ length: inFlight }, visit));
  const { values, packets } = service.counters();
  // Labels are values that are read too.
  const labels = 2 * 48 * all.length;
  return { varbinds: values - before.values + labels, packets: packets - before.packets };
};
await pollAll();
await pollAll();
const cost = await measure(pollAll);
const { timeouts } = collector.getService(snmpClientToken).counters();
const { rss } = process.memoryUsage();
console.log(JSON.stringify({ ...cost, timeouts, rssMiB: rss >> 20 }));
await collector.stop();
rmSync(folder, { recursive: true });
exit(0);
