import { join } from 'node:path';
import type { EngineState, Verdict } from '../../src/snmp/index.ts';
import type { SliceTurns } from '../../src/timing/index.ts';
import { lastBoots, SenderEngineFile } from './engine-file.ts';
import type { TrapOptions } from './options.ts';
import { openListeners } from './receiving/open-listeners.ts';
import type { ReceptionSettings } from './receiving/reception.ts';
import type { Receiving } from './receiving/reception-thread.ts';
import { Settlement } from './receiving/settlement.ts';
import { type Wire, WireReader } from './receiving/wire-form.ts';
import { RefusalLines } from './refusal-lines.ts';
import { watchSecrets } from './secret-watch.ts';
import { AllowedSenders } from './senders/allowed-senders.ts';
import type { Taking } from './start-intake.ts';
import type { TrapContext } from './trap-context.ts';
import { TrapReport } from './trap-report.ts';

const reportMs = 1_000;
const enginesMs = 60_000;

interface StartedReceiving {
  readonly receiving: Receiving;
  readonly report: TrapReport;
  readonly senders: AllowedSenders;
}

/** Opens the listeners. What comes waits until all that follows a notification is there. */
export async function startReceiving(
  context: TrapContext,
  slices: SliceTurns,
  taking: Taking,
): Promise<StartedReceiving> {
  const { name, options, needs, events, log, collector, onStop } = context;
  const { intake, engine, finder, forwarding } = taking;
  if (engine.boots === lastBoots)
    log.error(
      { engineId: engine.id.toString('hex'), boots: engine.boots },
      'The boots of this SNMPv3 engine have reached their last number: informs of SNMPv3 are refused. Set another engine_id, or remove snmp-traps/engine.json from the state directory.',
    );
  const senders = new AllowedSenders(
    {
      plugin: name,
      options,
      registry: needs.registry,
      findInventory: (device) => needs.discovery.findInventory(device),
    },
    slices,
    events,
    {
      onChange: () => finder.forget(),
      onFailure: (error) => log.error({ error }, 'A changed secret cannot be used: the one before stays.'),
    },
  );
  onStop(() => senders.close());
  const engineFile = new SenderEngineFile(collector.stateDirectory, (error) =>
    log.error({ error }, 'Saving the SNMPv3 engines of senders failed.'),
  );
  const known = await senders.list();
  const receiving = await openListeners({
    plugin: name,
    listen: options.listen,
    threads: options.threads,
    log,
    settings: {
      ...settingsOf(options),
      ...known,
      engine,
      engineStates: engineFile.read(),
      polledEngines: polledEngines(needs.client),
      journalFolder: join(collector.stateDirectory, 'snmp-traps'),
    },
    onFailure: (error) =>
      log.error({ error }, 'The thread that receives notifications has ended. Restart the collector.'),
  });
  onStop(() => receiving.close());
  forwarding.refuseLoops(receiving.addresses);
  senders.follow(receiving, known);
  onStop(
    watchSecrets(options, () => {
      senders.renew();
      for (const error of forwarding.renew())
        log.error({ error }, 'A changed secret cannot be used: the one before stays.');
    }),
  );
  const report = new TrapReport(receiving);
  receiving.begin(takeGroups(context, taking, receiving, report));
  onStop(() => intake.endRepeats());
  followReception(context, taking, receiving, report, engineFile);
  return { receiving, report, senders };
}

function settingsOf(
  options: TrapOptions,
): Pick<ReceptionSettings, 'receiveBufferBytes' | 'maxQueued' | 'keepsDatagrams' | 'engines' | 'limits'> {
  const { engines, limits } = options;
  return {
    receiveBufferBytes: options.receive_buffer_bytes,
    maxQueued: limits.queued,
    keepsDatagrams: options.forward.some(({ as }) => as === 'verbatim'),
    engines: { learn: engines.learn, newPerSecond: engines.new_per_second, max: engines.max },
    limits: {
      sourcePerSecond: limits.source_per_second,
      sourceBurst: limits.source_burst,
      sourceRepliesPerSecond: limits.source_replies_per_second,
      repliesPerSecond: limits.replies_per_second,
    },
  };
}

/** Records each group, and settles it in order. */
function takeGroups(
  { options, needs: { pipeline } }: TrapContext,
  { intake }: Taking,
  receiving: Receiving,
  report: TrapReport,
): (wire: Wire) => void {
  const settlement = new Settlement({
    waitsForSync: options.informs.acknowledge === 'synced',
    sync: () => pipeline.sync(options.outputs.length === 0 ? undefined : new Set(options.outputs)),
    onSynced: (informIds) => intake.forgetRetries(informIds),
    settle: (verdicts) => receiving.settle(verdicts),
  });
  return (wire) => {
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
  };
}

/** What is told and saved from time to time. */
function followReception(
  { needs: { client }, events, log, onStop }: TrapContext,
  { intake, finder }: Taking,
  receiving: Receiving,
  report: TrapReport,
  engineFile: SenderEngineFile,
): void {
  const refusals = new RefusalLines(log);
  let failure: string | undefined;
  const reportTimer = setInterval(() => {
    intake.endRepeats(Date.now());
    void report.takeDrops().then((drops) => {
      refusals.add(drops, Date.now());
      const reason = report.last?.journalFailure;
      if (reason !== failure)
        log.error(
          { reason },
          'Saving signed notifications failed: after a restart, captured ones may be accepted again.',
        );
      failure = reason;
      for (const { source, cause, count } of drops)
        events.emit('trap.dropped', { source, cause, count, seconds: reportMs / 1000 });
    });
  }, reportMs);
  const engineTimer = setInterval(() => {
    receiving.updateEngines(polledEngines(client));
    finder.forget();
    engineFile.write(report.last?.engines);
  }, enginesMs);
  onStop(async () => {
    clearInterval(reportTimer);
    clearInterval(engineTimer);
    engineFile.write((await report.fresh()).engines);
  });
}

/** By address alone: notifications come from another port than the one that is polled. */
function polledEngines(client: TrapContext['needs']['client']): readonly EngineState[] {
  return client.engines().map(({ address, ...state }) => ({ ...state, address: withoutPort(address) }));
}

function withoutPort(target: string): string {
  return target.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}
