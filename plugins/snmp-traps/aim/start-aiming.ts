import { access, Type } from '../../../src/index.ts';
import { systemClock } from '../../../src/timing/index.ts';
import type { TrapPoll } from '../record/trap-log.ts';
import type { TrapContext } from '../trap-context.ts';
import { AimedPolls, type AimingTrap } from './aimed-polls.ts';
import { aimPath, OwnerAims, passedAims } from './owner-aims.ts';

type AimingContext = Pick<TrapContext, 'needs' | 'options' | 'log' | 'events' | 'onStop'>;

export interface Aiming {
  readonly aimed: Pick<AimedPolls, 'polled' | 'skipped'>;
  add(trap: AimingTrap): void;
}

/** Polls what notifications name: those that this process receives, and those of its devices that other processes receive. */
export function startAiming(
  { needs, options, log, events, onStop }: AimingContext,
  onAsked: (trapIds: readonly string[], poll: TrapPoll) => void,
): Aiming {
  const { definitions, registry, discovery, poller, routes, shards } = needs;
  const { aim } = options;
  const aimed = new AimedPolls({
    settings: {
      delayMs: aim.delay_ms,
      againMs: 1000 * aim.again_s,
      devicePerMinute: aim.device_per_minute,
      packetsPerSecond: aim.packets_per_second,
      restartMs: 1000 * aim.restart_s,
    },
    clock: systemClock,
    findTable(device, id) {
      const found = definitions.current.findObject(id);
      const known = discovery.findInventory(device)?.objects.get(id);
      return found && known && { table: found.definition.table, instances: new Set(known.instances) };
    },
    poll: (device, wanted, trapId) => poller.pollRows(device, wanted, trapId),
    rediscover: (device, cause, pace) => discovery.suggest(device, cause, pace),
    onAsked,
  });
  const owners = new OwnerAims({
    shards,
    aimed,
    findDevice: ({ ip, port }) => registry.findDevice(ip, port),
    onPassed: onAsked,
    log,
  });
  if (shards.fleet !== undefined && aim.enabled)
    routes.add(async (app) => {
      app.post(aimPath, { config: access('operate'), schema }, async ({ body: { aims } }) => {
        for (const each of aims) owners.take(each);
        return { taken: aims.length };
      });
    });
  routes.addMetrics(() => [
    {
      name: 'waywiser_trap_aimed_polls_total',
      help: 'Polls of what notifications name: polled, or skipped because of a limit.',
      type: 'counter',
      samples: (['polled', 'skipped'] as const).map((outcome) => ({
        labels: { outcome },
        value: aimed[outcome],
      })),
    },
  ]);
  events.on('device.removed', ({ device }) => aimed.forget(device));
  onStop(() => {
    owners.close();
    aimed.close();
  });
  return { aimed, add: (trap) => owners.add(trap) };
}

const schema = {
  operationId: 'aimPolls',
  tags: ['traps'],
  summary: 'Poll what notifications name that another member of the cluster has received',
  body: passedAims,
  response: { 200: Type.Object({ taken: Type.Integer() }, { title: 'TakenAims' }) },
};
