import { definePlugin, deviceKey, type EventBus, pipelineToken } from '../../src/index.ts';
import { buildColumns, ownRecord, runToEnd, SliceTurns, shardsToken } from '../../src/internal.ts';
import type { Verdict } from '../../src/snmp/index.ts';
import { type Definitions, definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { snmpClientToken } from '../snmp-client/service.ts';
import { discoveryToken } from '../snmp-discovery/service.ts';
import { pollerToken } from '../snmp-poller/service.ts';
import { startAiming } from './aim/start-aiming.ts';
import { ColumnFinder } from './decoding/column-finder.ts';
import { NotificationDecoder } from './decoding/notification-decoder.ts';
import { lastBoots, SenderEngineFile, startEngine } from './engine-file.ts';
import { trapFailure } from './errors.ts';
import { checkForward, Forwarding } from './forwarding/forwarding.ts';
import { options } from './options.ts';
import { openListeners } from './receiving/open-listeners.ts';
import { Settlement } from './receiving/settlement.ts';
import { type Wire, WireReader } from './receiving/wire-form.ts';
import { RefusalLines } from './refusal-lines.ts';
import { DeviceFinder } from './senders/device-finder.ts';
import { listRights, parseNetworks } from './senders/trap-rights.ts';
import { describeUsers } from './senders/trap-user.ts';
import { TrapCounts, TrapIntake } from './trap-intake.ts';
import { TrapReport } from './trap-report.ts';
import { trapRoutes } from './trap-routes.ts';

const reportMs = 1_000;
const enginesMs = 60_000;
/** Changes of devices come together. */
const settleMs = 200;

export default definePlugin({
  name: 'snmp-traps',
  kind: 'source',
  summary: 'Receives SNMP traps and informs, decodes them by the definitions, and sends them to the outputs.',
  options,
  needs: {
    definitions: definitionsToken,
    registry: deviceRegistryToken,
    client: snmpClientToken,
    discovery: discoveryToken,
    poller: pollerToken,
    pipeline: pipelineToken,
    routes: httpRoutesToken,
    shards: shardsToken,
  },
  check({ name, options, outputs, eventOutputs, undeclaredOutputs, warn }) {
    for (const output of chooseOutputs(name, options.outputs, { all: outputs, takers: eventOutputs })) {
      if (undeclaredOutputs.includes(output))
        warn(trapFailure('TRAP_OUTPUT_UNDECLARED', { plugin: name, output }));
    }
    parseNetworks(options.relays, { plugin: name, option: 'relays' });
    checkForward(name, options);
    runToEnd(
      listRights({
        plugin: name,
        options: { ...options, devices: false },
        registry: noDevices,
        findInventory: () => undefined,
      }),
    );
  },
  async start({ name, options, needs, events, log, collector, onStop }) {
    const { definitions, registry, client, discovery, poller, pipeline, routes } = needs;
    const all = Object.keys(pipeline.counters.outputs);
    const takers = chooseOutputs(name, options.outputs, { all, takers: pipeline.eventOutputs });
    const aimingParts = { needs, options, log, events, onStop };
    // A worker, whose parent receives.
    if (options.listen.length === 0) return void startAiming(aimingParts, () => {});
    const findInventory = discovery.findInventory.bind(discovery);
    const slices = new SliceTurns();
    const rightsParts = { plugin: name, options, registry, findInventory };
    const finder = new DeviceFinder({
      registry,
      relays: parseNetworks(options.relays, { plugin: name, option: 'relays' }),
      findInventory,
      listEngines: () => client.engines(),
    });
    const counts = new TrapCounts();
    const aiming = startAiming(aimingParts, (trapIds, poll) => intake.log.addPoll(trapIds, poll));
    const intake: TrapIntake = new TrapIntake({
      options,
      pipeline,
      events,
      finder,
      findInventory,
      findLabels: (device, table, instance) => poller.findLabels(device, table, instance),
      onAccepted(trap) {
        counts.add(trap);
        forwarding.add(trap.summary, trap.received);
        if (options.aim.enabled && options.overrides[trap.summary.name]?.aim !== false) aiming.add(trap);
      },
    });
    await followDefinitions(definitions, events, async () => {
      const { current } = definitions;
      const { sections, number } = current;
      const columns = await slices.run(ColumnFinder.build(sections));
      if (definitions.current === current)
        intake.useDecoder(new NotificationDecoder(number, sections, columns, poller.decodeOptions), sections);
    });

    const engine = startEngine(collector.stateDirectory, options.engine_id, Date.now());
    if (engine.boots === lastBoots)
      log.error(
        { engineId: engine.id.toString('hex'), boots: engine.boots },
        'The boots of this SNMPv3 engine have reached their last number: informs of SNMPv3 are refused. Set another engine_id, or remove snmp-traps/engine.json from the state directory.',
      );
    const engineFile = new SenderEngineFile(collector.stateDirectory, (error) =>
      log.error({ error }, 'Saving the SNMPv3 engines of senders failed.'),
    );
    let allowed = await slices.run(listRights(rightsParts));
    const limits = options.limits;
    const settlement = new Settlement({
      waitsForSync: options.informs.acknowledge === 'synced',
      sync: () => pipeline.sync(options.outputs.length === 0 ? undefined : new Set(options.outputs)),
      onSynced: (informIds) => intake.forgetRetries(informIds),
      settle: (verdicts) => receiving.settle(verdicts),
    });
    const receiving = await openListeners({
      plugin: name,
      listen: options.listen,
      threads: options.threads,
      log,
      settings: {
        receiveBufferBytes: options.receive_buffer_bytes,
        maxQueued: limits.queued,
        keepsDatagrams: options.forward.some(({ as }) => as === 'verbatim'),
        rights: allowed.rights,
        users: allowed.users,
        engine,
        engineStates: engineFile.read(),
        engines: {
          learn: options.engines.learn,
          newPerSecond: options.engines.new_per_second,
          max: options.engines.max,
        },
        limits: {
          sourcePerSecond: limits.source_per_second,
          sourceBurst: limits.source_burst,
          sourceRepliesPerSecond: limits.source_replies_per_second,
          repliesPerSecond: limits.replies_per_second,
        },
      },
      onGroup(wire: Wire) {
        const reader = new WireReader(wire);
        const verdicts: Verdict[] = [];
        const informIds: number[] = [];
        while (!reader.isAtEnd) {
          const received = reader.next();
          verdicts.push(intake.take(received));
          informIds.push(received.informId);
          report.delays.add(Math.max(0, Date.now() - received.timeMs) / 1000);
        }
        settlement.add(verdicts, informIds);
      },
      onFailure: (error) =>
        log.error({ error }, 'The thread that receives notifications has ended. Restart the collector.'),
    });
    const report = new TrapReport(receiving);
    onStop(() => receiving.close());
    const forwarding = new Forwarding({ plugin: name, options, engine, listeners: receiving.addresses });
    onStop(() => forwarding.close());
    log.info({ listeners: receiving.addresses, outputs: takers }, 'Receiving notifications.');
    if (takers.length === 0)
      log.warn(
        { outputs: all },
        'No output receives notifications: the API and the page show the last ones, and outputs receive their counts. Configure an output for events, such as ndjson.',
      );

    const updateEngines = () =>
      receiving.updateEngines(
        client.engines().map(({ address, ...state }) => ({ ...state, address: withoutPort(address) })),
      );
    updateEngines();
    let rebuild: NodeJS.Timeout | undefined;
    const changeDevices = () => {
      finder.forget();
      rebuild ??= setTimeout(async () => {
        rebuild = undefined;
        allowed = await slices.run(listRights(rightsParts));
        receiving.setUsers(allowed.users);
        receiving.setRights(allowed.rights);
      }, settleMs);
    };
    onStop(() => clearTimeout(rebuild));
    events.on('device.added', changeDevices);
    events.on('device.changed', changeDevices);
    events.on('device.removed', ({ device }) => {
      counts.forget(deviceKey(device));
      changeDevices();
    });
    events.on('discovery.completed', changeDevices);

    const refusals = new RefusalLines(log);
    onStop(() => intake.endRepeats());
    const listen = setInterval(() => {
      intake.endRepeats(Date.now());
      void report.takeDrops().then((drops) => {
        refusals.add(drops, Date.now());
        for (const { source, cause, count } of drops)
          events.emit('trap.dropped', { source, cause, count, seconds: reportMs / 1000 });
      });
    }, reportMs);
    const engineTimer = setInterval(() => {
      updateEngines();
      finder.forget();
      engineFile.write(report.last?.engines);
    }, enginesMs);
    onStop(async () => {
      clearInterval(listen);
      clearInterval(engineTimer);
      engineFile.write((await report.fresh()).engines);
    });
    if (options.count_every_s > 0) {
      let sequence = 0;
      const timer = setInterval(() => {
        for (const { subject, counts: rows } of counts.list()) {
          const timeMs = Date.now();
          pipeline.push({
            device: subject.ref,
            tags: subject.tags,
            record: ownRecord('trapCounts'),
            plan: ownRecord('traps'),
            generation: definitions.current.number,
            sequence: sequence++,
            slotMs: timeMs,
            timeMs,
            intervalMs: options.count_every_s * 1000,
            ...buildColumns(
              rows.map(({ name: trap, severity, count }) => ({
                key: `${trap} ${severity}`,
                labels: { 'trap.name': trap, 'trap.severity': severity },
                values: { 'trap.count': BigInt(count) },
              })),
              countFields,
            ),
          });
        }
      }, options.count_every_s * 1000);
      onStop(() => clearInterval(timer));
    }
    routes.add(
      trapRoutes({
        log: intake.log,
        report,
        aimed: aiming.aimed,
        forwarded: forwarding.counts,
        listUsers: () => describeUsers(allowed.users),
      }),
    );
    routes.addMetrics(() => [
      ...report.metrics(),
      {
        name: 'waywiser_trap_forwards_total',
        help: 'Copies of notifications for other receivers, by outcome.',
        type: 'counter',
        samples: Object.entries(forwarding.counts).map(([outcome, value]) => ({
          labels: { outcome },
          value,
        })),
      },
    ]);
  },
});

const countFields = { 'trap.count': { kind: 'counter' } } as const;

const noDevices = { devices: () => [], getTargets: () => [] };

/** Prepares each generation. Notifications are decoded by the one before until the new one is ready. */
async function followDefinitions(
  _: Definitions,
  events: EventBus,
  prepare: () => Promise<void>,
): Promise<void> {
  events.on('definitions.changed', () => void prepare());
  await prepare();
}

function withoutPort(target: string): string {
  return target.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

/** The outputs that notifications go to. Throws where the option `outputs` names one that takes none. */
function chooseOutputs(
  plugin: string,
  wanted: readonly string[],
  { all, takers }: { readonly all: readonly string[]; readonly takers: readonly string[] },
): readonly string[] {
  for (const output of wanted) {
    if (!all.includes(output))
      throw trapFailure('TRAP_OUTPUT_UNKNOWN', { plugin, output, known: all.join(', ') || 'none' });
    if (!takers.includes(output))
      throw trapFailure('TRAP_OUTPUT_WITHOUT_EVENTS', { plugin, output, known: takers.join(', ') || 'none' });
  }
  return wanted.length === 0 ? takers : wanted;
}
