import type { SliceTurns } from '../../src/timing/index.ts';
import { type Aiming, startAiming } from './aim/start-aiming.ts';
import { ColumnFinder } from './decoding/column-finder.ts';
import { NotificationDecoder } from './decoding/notification-decoder.ts';
import { type OwnEngineState, startEngine } from './engine-file.ts';
import { Forwarding } from './forwarding/forwarding.ts';
import { DeviceFinder } from './senders/device-finder.ts';
import { parseNetworks } from './senders/trap-rights.ts';
import type { TrapContext } from './trap-context.ts';
import { TrapCounts, TrapIntake } from './trap-intake.ts';

/** All that a notification passes after it was received. */
export interface Taking {
  readonly intake: TrapIntake;
  readonly engine: OwnEngineState;
  readonly finder: DeviceFinder;
  readonly counts: TrapCounts;
  readonly forwarding: Forwarding;
  readonly aiming: Aiming;
}

/** Prepares what becomes of notifications. It is ready for the first one when this resolves. */
export async function startIntake(context: TrapContext, slices: SliceTurns): Promise<Taking> {
  const { name, options, needs, events, collector, onStop } = context;
  const { registry, client, discovery, poller, pipeline } = needs;
  const findInventory = discovery.findInventory.bind(discovery);
  const finder = new DeviceFinder({
    registry,
    relays: parseNetworks(options.relays, { plugin: name, option: 'relays' }),
    findInventory,
    listEngines: () => client.engines(),
  });
  const engine = startEngine(collector.stateDirectory, options.engine_id, Date.now());
  const forwarding = new Forwarding({ plugin: name, options, engine });
  onStop(() => forwarding.close());
  const counts = new TrapCounts();
  const aiming = startAiming(context, (trapIds, poll) => intake.log.addPoll(trapIds, poll));
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
  await followDefinitions(context, intake, slices);
  return { intake, engine, finder, counts, forwarding, aiming };
}

/** Prepares each generation. Notifications are decoded by the one before until the new one is ready. */
async function followDefinitions(
  { needs: { definitions, poller }, events }: TrapContext,
  intake: TrapIntake,
  slices: SliceTurns,
): Promise<void> {
  const prepare = async () => {
    for (;;) {
      const { current } = definitions;
      const { sections, number } = current;
      const columns = await slices.run(ColumnFinder.build(sections));
      // Others may have been applied meanwhile.
      if (definitions.current !== current) continue;
      return intake.useDecoder(
        new NotificationDecoder(number, sections, columns, poller.decodeOptions),
        sections,
      );
    }
  };
  events.on('definitions.changed', () => void prepare());
  await prepare();
}
