import { env } from 'node:process';
import { definePlugin, openStateJournal } from '../../src/index.ts';
import { shardsToken } from '../../src/internal.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { FoundDevices } from './found-devices.ts';
import { ManagedDevices } from './managed-devices.ts';
import { Registry } from './registry.ts';
import { deviceRegistryToken } from './service.ts';

export * from './service.ts';

export default definePlugin({
  name: 'device-registry',
  kind: 'service',
  summary: 'Keeps every device by address and port, with its settings and its state.',
  needs: { definitions: definitionsToken, shards: shardsToken },
  provides: deviceRegistryToken,
  start({ needs, events, collector, log, onStop }) {
    const { journal, values } = openStateJournal({
      collector,
      log,
      folder: 'device-registry',
      name: 'devices',
    });
    onStop(() => journal.close());

    const managed = new ManagedDevices(journal, values);
    const kept = openStateJournal({
      collector,
      log,
      folder: 'device-registry',
      name: 'found',
      contents: 'found devices',
    });
    onStop(() => kept.journal.close());
    const found = new FoundDevices(kept.journal, kept.values);
    if (managed.foreign + found.foreign > 0) {
      const entries = managed.foreign + found.foreign;
      log.warn({ entries }, 'Some stored devices cannot be read. They are ignored.');
    }
    const registry = new Registry({
      managed,
      found,
      generation: () => needs.definitions.current,
      secrets: { env, directory: collector.secretsDirectory },
      events,
      now: Date.now,
    });
    registry.replaceFromFiles(needs.definitions.current.devices());
    events.on('definitions.changed', () => registry.replaceFromFiles(needs.definitions.current.devices()));
    const leaveShards = needs.shards.join({
      name: 'device-registry',
      collect: (shard) => registry.exportStatuses(shard),
      restore: (shard, statuses) => registry.importStatuses(shard, statuses as Record<string, unknown>),
      forget: (shards) => registry.forgetStatuses(shards),
    });
    onStop(leaveShards);
    return registry;
  },
});
