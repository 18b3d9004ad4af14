import type { DecodeOptions } from '../../src/definitions/index.ts';
import { getAddressedDevice } from '../../src/http/index.ts';
import {
  definePlugin,
  type EventBus,
  type Logger,
  pipelineToken,
  type Static,
  Type,
} from '../../src/index.ts';
import { lockService, type NeededServices } from '../../src/kernel/index.ts';
import { LentBatches } from '../../src/pipeline/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { createDurationHistogram, SliceTurns, systemClock } from '../../src/timing/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { snmpClientToken } from '../snmp-client/service.ts';
import { discoveryToken } from '../snmp-discovery/service.ts';
import type { DeviceTools } from './device/device-tools.ts';
import { DeviceFleet } from './fleet/device-fleet.ts';
import type { HandedPolls } from './fleet/poll-handover.ts';
import { HealthReporter } from './health/health-reporter.ts';
import { compilePlans } from './plan/compile-plan.ts';
import { ObjectSelections } from './plan/object-selection.ts';
import { PlanCache } from './plan/plan-cache.ts';
import { PollTally } from './poll-tally.ts';
import { RecordAssembler } from './record/record-assembler.ts';
import { addRoutes } from './routes/add-routes.ts';
import { type Poller, pollerToken } from './service.ts';
import { SlotSchedule } from './slot-schedule.ts';

export * from './service.ts';

const options = Type.Object({
  counters: Type.Object(
    {
      raw: Type.Boolean({ default: true, description: 'keep the raw value, in the field of its attribute' }),
      delta: Type.Boolean({
        default: false,
        description: 'add the increase since the previous poll, in the field with the suffix _delta',
      }),
      rate: Type.Optional(
        Type.Boolean({
          description:
            'add the increase per second, in the field with the suffix _rate; by default if an output writes rates',
        }),
      ),
    },
    { additionalProperties: false, default: {}, description: 'which fields each counter gets in a record' },
  ),
  duration_unit: Type.Union(
    (['s', 'ms', 'us', 'ns'] as const).map((unit) => Type.Literal(unit)),
    { default: 'ms', description: 'the unit of durations' },
  ),
  percent_of: Type.Union([Type.Literal(1), Type.Literal(100)], {
    default: 100,
    description: 'the number that stands for the whole in percentages',
  }),
  max_poll_bytes: Type.Integer({
    minimum: 65_536,
    default: 32 * 1_048_576,
    description:
      'the most octets that the replies to one poll of a device may have; values beyond them are missing',
  }),
  health_every_s: Type.Integer({
    minimum: 0,
    default: 60,
    description: 'seconds between two records about the health of each device; 0 means none',
  }),
  finish_within_ms: Type.Integer({
    minimum: 0,
    maximum: 8_000,
    default: 5_000,
    description: 'how long polls may continue after the collector begins to stop',
  }),
});

const needs = {
  definitions: definitionsToken,
  registry: deviceRegistryToken,
  client: snmpClientToken,
  discovery: discoveryToken,
  pipeline: pipelineToken,
  routes: httpRoutesToken,
  shards: shardsToken,
} as const;

export default definePlugin({
  name: 'snmp-poller',
  kind: 'source',
  // Giving shards away comes before the polls end.
  stopTimeoutMs: 20_000,
  summary: 'Polls every discovered device at its intervals and sends the records to the pipeline.',
  options,
  needs,
  provides: pollerToken,
  start({ options, needs, events, log, onStop }) {
    const { definitions, registry, routes, shards } = needs;
    const schedule = new SlotSchedule(systemClock);
    onStop(() => schedule.close());
    const decodeOptions: DecodeOptions = {
      durationUnit: options.duration_unit,
      percentOf: options.percent_of,
    };
    const tools = createTools({ options, needs, events, log, schedule, decodeOptions });
    const fleet = new DeviceFleet({
      tools,
      registry,
      definitions,
      decodeOptions,
      finishWithinMs: options.finish_within_ms,
    });
    onStop(() => fleet.close());
    const leaveShards = shards.join({
      name: 'snmp-poller',
      gain: (gained, isAgain) => fleet.gain(gained, isAgain),
      lose: (lost, ownedUntilMs) => fleet.lose(lost, ownedUntilMs),
      collect: (shard) => fleet.handover.collect(shard),
      restore: (shard, state, isDirect) => fleet.handover.restore(shard, state as HandedPolls, isDirect),
      forget: (lost) => fleet.handover.forget(lost),
    });
    onStop(leaveShards);
    // The last to be registered is the first to be undone: the other members take over while everything here still runs.
    onStop(() => shards.leave());
    fleet.listen(events);
    const everyMs = 1000 * options.health_every_s;
    const health = new HealthReporter({ registry, poller: fleet, tools, everyMs });
    onStop(() => health.close());
    if (everyMs > 0) health.listen(events);
    events.on('collector.ready', () => {
      fleet.begin();
      if (everyMs > 0) health.begin();
    });
    addRoutes(routes, {
      poller: fleet,
      isObject: (id) => definitions.current.findObject(id) !== undefined,
      find: (path) => getAddressedDevice(registry, path),
    });
    return fleet;
  },
  viewFor: (poller, { isBuiltIn }) => (isBuiltIn ? poller : lendRecords(poller)),
});

/** The last batches are also those of the outputs. */
function lendRecords(poller: Poller): Poller {
  const lent = new LentBatches();
  return lockService(poller, {
    latest: (device) => poller.latest(device).map((batch) => lent.lend(batch)),
    pollRows: async (device, wanted, trapId) =>
      (await poller.pollRows(device, wanted, trapId)).map((batch) => lent.lend(batch)),
    pollNow: async (device, groups) =>
      (await poller.pollNow(device, groups)).map((batch) => lent.lend(batch)),
  });
}

interface ToolParts {
  readonly options: Static<typeof options>;
  readonly needs: NeededServices<typeof needs>;
  readonly events: EventBus;
  readonly log: Logger;
  readonly schedule: SlotSchedule;
  readonly decodeOptions: DecodeOptions;
}

/** What the polls of all devices share. */
function createTools({ options, needs, events, log, schedule, decodeOptions }: ToolParts): DeviceTools {
  const { definitions, registry, client, discovery, pipeline, shards } = needs;
  const clock = systemClock;
  let selections = new ObjectSelections(definitions.current);
  let sequence = 0;
  const slices = new SliceTurns(clock);
  return {
    clock,
    schedule,
    events,
    log,
    plans: new PlanCache((shape) => compilePlans(shape, definitions.current.sections, decodeOptions), slices),
    slices,
    assembler: new RecordAssembler({
      ...options.counters,
      rate: options.counters.rate ?? pipeline.wantsRates,
    }),
    tally: new PollTally(),
    maxPollBytes: options.max_poll_bytes,
    lateness: createDurationHistogram(),
    durations: createDurationHistogram(),
    roundTrips: createDurationHistogram(),
    generation: () => definitions.current.number,
    select(groups, inventory) {
      if (selections.generation !== definitions.current)
        selections = new ObjectSelections(definitions.current);
      return selections.find(groups, inventory);
    },
    findInventory: (device) => discovery.findInventory(device),
    getTargets: (device, address, context) => registry.getTargets(device, address, context),
    open: (target) => client.open(target),
    reportContact: (device, contact) => registry.reportContact(device, contact),
    requestDiscovery: (device, cause) => discovery.suggest(device, cause),
    push: (batch) => pipeline.push(batch),
    isPaused: () => pipeline.isPaused,
    shards,
    nextSequence: () => ++sequence,
  };
}
