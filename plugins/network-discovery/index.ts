import { setTimeout as wait } from 'node:timers/promises';
import { defineErrors, definePlugin, openStateJournal } from '../../src/index.ts';
import { type AddressRange, parseNetwork } from '../../src/model/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { SendPace } from '../../src/timing/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { snmpClientToken } from '../snmp-client/service.ts';
import { discoveryToken } from '../snmp-discovery/service.ts';
import { networkErrors } from './errors.ts';
import { networkOptions } from './options.ts';
import { ScanMemory } from './scan-memory.ts';
import { scanRoutes } from './scan-routes.ts';
import { createSchedule } from './scan-schedule.ts';
import { ScanScheduler } from './scan-scheduler.ts';

const failure = defineErrors(networkErrors);

const scheduleCheckMs = 60_000;

export default definePlugin({
  name: 'network-discovery',
  kind: 'source',
  summary: 'Finds devices in the networks of autodiscover/networks.yml.',
  options: networkOptions,
  stopTimeoutMs: 20_000,
  needs: {
    definitions: definitionsToken,
    registry: deviceRegistryToken,
    client: snmpClientToken,
    discovery: discoveryToken,
    routes: httpRoutesToken,
    shards: shardsToken,
  },
  check({ options }) {
    options.exclude.forEach(parseExclude);
    createSchedule(options.every_hours, options.schedule);
  },
  start({ options, needs, events, log, collector, onStop }) {
    const { routes, ...services } = needs;
    const exclude = options.exclude.map(parseExclude);
    const schedule = createSchedule(options.every_hours, options.schedule);
    const { journal, values } = openStateJournal({
      collector,
      log,
      folder: 'network-discovery',
      name: 'scans',
    });
    onStop(() => journal.close());
    const scheduler = new ScanScheduler({
      ...services,
      events,
      log,
      schedule,
      memory: new ScanMemory(journal, values),
      pace: new SendPace(1000 / options.packets_per_second, {
        now: () => performance.now(),
        wait: (ms, signal) => wait(ms, undefined, { signal }),
      }),
      limits: {
        exclude,
        ipv6Prefix: options.ipv6_prefix,
        maxAddresses: options.max_addresses,
      },
      retries: options.retries,
      maxInFlight: options.max_in_flight,
      removeAfterScans: options.remove_after_scans,
      now: Date.now,
    });
    onStop(() => scheduler.close());
    onStop(scheduler.listen());
    scheduler.dropExcluded();
    routes.add(scanRoutes({ scheduler, shards: needs.shards, log }));

    let first: NodeJS.Timeout | undefined;
    events.on('collector.ready', () => {
      if (options.at_start) first = setTimeout(() => scheduler.begin(), options.start_after_ms);
    });
    const timer = setInterval(() => scheduler.checkSchedule(), scheduleCheckMs);
    onStop(() => {
      clearTimeout(first);
      clearInterval(timer);
    });
    onStop(() => needs.shards.leave());
  },
});

function parseExclude(network: string): AddressRange {
  const range = parseNetwork(network);
  if (range === undefined) throw failure('SCAN_EXCLUDE_INVALID', { network });
  return range;
}
