import { getHeapStatistics } from 'node:v8';
import { defaultPollBudget } from '../../src/definitions/index.ts';
import { definePlugin, openStateJournal, Type } from '../../src/index.ts';
import { deepFreeze, lockService } from '../../src/kernel/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { SliceTurns } from '../../src/timing/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { snmpClientToken } from '../snmp-client/service.ts';
import { DiscoveryScheduler } from './discovery-scheduler.ts';
import { InventoryStore } from './inventory-store.ts';
import { atTimes, everyHours } from './rediscovery-plan.ts';
import type { QueuedRun } from './runs/queued-run.ts';
import { executeRun, type Failure } from './runs/run-executor.ts';
import { RunQueue } from './runs/run-queue.ts';
import { type Discovery, type DiscoveryRun, discoveryToken } from './service.ts';
import { weighInventory } from './survey/device-budget.ts';

export * from './service.ts';

/** What one device may take, so that a device with endless tables delays no other device. */
const budgetOptions = {
  max_instances: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 100_000,
    description: 'the most instances of one device, over all its objects',
  }),
  max_bytes: Type.Integer({
    minimum: 65_536,
    default: 64 * 1_048_576,
    description: 'the most memory that the inventory and the polls of one device may take, as estimated',
  }),
  max_seconds: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    default: 600,
    description: 'the longest time that the discovery of one device may take',
  }),
  max_total_bytes: Type.Optional(
    Type.Integer({
      minimum: 1_048_576,
      description:
        'the most memory that the inventories and the polls of all devices may take, as estimated: beyond it, devices get at most 1 MiB each; half of the heap limit of Node.js by default',
    }),
  ),
};

/** What polling the objects of one device that `objects: auto` found may cost. Objects that a group names are always polled. */
const pollBudgetOptions = {
  max_values_per_minute: Type.Integer({
    minimum: 1,
    default: defaultPollBudget.maxValuesPerMinute,
    description:
      'with `objects: auto`, the most values per minute that one device is polled for; the objects that cost most are left out',
  }),
  max_packets_per_minute: Type.Integer({
    minimum: 1,
    default: defaultPollBudget.maxPacketsPerMinute,
    description:
      'with `objects: auto`, the most packets per minute that polling one device may take, as estimated',
  }),
};

const options = Type.Object({
  every_hours: Type.Number({
    minimum: 0,
    maximum: 8760,
    default: 24,
    description: 'rediscover a device when its inventory is older than this; 0 means never',
  }),
  schedule: Type.Optional(
    Type.String({
      description:
        'rediscover devices at the times of this cron expression, such as "0 3 * * *"; replaces every_hours',
    }),
  ),
  retry_ms: Type.Integer({
    minimum: 10,
    default: 30_000,
    description: 'pause after a failed first discovery; it doubles with each failure once the device is down',
  }),
  starts_per_second: Type.Number({
    minimum: 0.1,
    maximum: 1000,
    default: 20,
    description: 'the most discoveries that start per second',
  }),
  max_concurrent: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: 'the most discoveries under way at the same time',
  }),
  ...budgetOptions,
  ...pollBudgetOptions,
});

const checkEveryMs = 60_000;

export default definePlugin({
  name: 'snmp-discovery',
  kind: 'service',
  summary: 'Discovers which objects and rows each device has, and repeats this when they may have changed.',
  options,
  needs: {
    definitions: definitionsToken,
    registry: deviceRegistryToken,
    client: snmpClientToken,
    shards: shardsToken,
  },
  provides: discoveryToken,
  check({ options }) {
    if (options.schedule !== undefined) atTimes(options.schedule);
  },
  start({ options, needs, events, log, collector, onStop }) {
    const { definitions, registry, client, shards } = needs;
    const { journal, values } = openStateJournal({
      collector,
      log,
      folder: 'snmp-discovery',
      name: 'inventories',
    });
    onStop(() => journal.close());

    const slices = new SliceTurns();
    const store = new InventoryStore(journal, values, slices, (inventory) =>
      weighInventory(inventory, (id) => definitions.current.findObject(id)?.definition.attributes.size ?? 0),
    );
    const onContact = (run: QueuedRun, failure: Failure | undefined) => scheduler.onContact(run, failure);
    const queue = new RunQueue({
      startsPerSecond: options.starts_per_second,
      maxConcurrent: options.max_concurrent,
      now: Date.now,
      generation: () => definitions.current.number,
      execute: (run) =>
        executeRun(run, {
          definitions,
          registry,
          store,
          slices,
          events,
          log,
          open: (target) => client.open(target),
          now: Date.now,
          limits: {
            maxInstances: options.max_instances,
            maxBytes: options.max_bytes,
            maxSeconds: options.max_seconds,
            maxTotalBytes: options.max_total_bytes ?? getHeapStatistics().heap_size_limit / 2,
          },
          pollBudget: {
            maxValuesPerMinute: options.max_values_per_minute,
            maxPacketsPerMinute: options.max_packets_per_minute,
          },
          onContact,
        }),
    });
    const schedule =
      options.schedule !== undefined
        ? atTimes(options.schedule)
        : options.every_hours > 0
          ? everyHours(options.every_hours)
          : undefined;
    const scheduler = new DiscoveryScheduler({
      registry,
      shards,
      client,
      store,
      queue,
      schedule,
      retryMs: options.retry_ms,
      now: Date.now,
    });
    onStop(() => scheduler.close());
    scheduler.listen(events);
    const leaveShards = shards.join({
      name: 'snmp-discovery',
      gain: (gained) => scheduler.gain(gained),
      lose: (lost) => scheduler.lose(lost),
      collect: (shard) => scheduler.exportShard(shard),
      restore: (shard, states) => scheduler.importShard(shard, states as Record<string, unknown>),
      forget: (lost) => scheduler.forget(lost),
    });
    onStop(leaveShards);
    definitions.useDevices(() => scheduler.groupedDevices());
    events.on('collector.ready', () => scheduler.begin());
    const timer = setInterval(() => void scheduler.check(), checkEveryMs);
    onStop(() => clearInterval(timer));
    return scheduler;
  },
  viewFor: (discovery, { isBuiltIn }) => (isBuiltIn ? discovery : protectDiscovery(discovery)),
});

function protectDiscovery(discovery: Discovery): Discovery {
  const views = new WeakMap<DiscoveryRun, DiscoveryRun>();
  const viewOf = (run: DiscoveryRun): DiscoveryRun => {
    const view = views.get(run) ?? protectRun(run);
    views.set(run, view);
    return view;
  };
  return lockService(discovery, {
    findInventory: (device) => deepFreeze(discovery.findInventory(device)),
    request(device, cause) {
      const { run, joined } = discovery.request(device, cause);
      return { run: viewOf(run), joined };
    },
    findRun(id) {
      const run = discovery.findRun(id);
      return run && viewOf(run);
    },
    get runs() {
      return discovery.runs.map(viewOf);
    },
  });
}

/** The facts of a run. The run itself has methods that end it. */
function protectRun(run: DiscoveryRun): DiscoveryRun {
  const { id, device, requestedMs, ended } = run;
  return Object.freeze({
    id,
    device,
    requestedMs,
    ended: ended.then(deepFreeze),
    get cause() {
      return run.cause;
    },
    get state() {
      return run.state;
    },
    get startedMs() {
      return run.startedMs;
    },
    get endedMs() {
      return run.endedMs;
    },
    get progress() {
      return { ...run.progress };
    },
    get packets() {
      return run.packets;
    },
    get outcome() {
      return deepFreeze(run.outcome);
    },
  });
}
