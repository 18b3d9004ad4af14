import { env } from 'node:process';
import { definePlugin, openStateJournal } from '../../src/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import type { Journal, JournalWriter } from '../../src/storage/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { FoundDevices } from './found-devices.ts';
import { ManagedDevices } from './managed-devices.ts';
import { Registry } from './registry.ts';
import { deviceRegistryToken } from './service.ts';
import { SharedEntries } from './shared-entries.ts';

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

    const { fleet } = needs.shards;
    const shared: SharedEntries[] = [];
    /** In a cluster, what is kept here is shared with the other members. */
    const share = (
      own: { readonly journal: Journal; readonly values: ReadonlyMap<string, unknown> },
      name: string,
      take: (key: string, value: unknown) => void,
    ): JournalWriter => {
      if (fleet === undefined) return own.journal;
      const marks = openStateJournal({ collector, log, folder: 'device-registry', name: `shared-${name}` });
      onStop(() => marks.journal.close());
      const onProblem = (error: unknown) =>
        log.error({ error }, 'A device of another member of the cluster cannot be used.');
      const known = marks.values;
      const prefix = `devices/${name}/`;
      const parts = { fleet, prefix, ...own, marks: marks.journal, known, take, onProblem };
      const entries = new SharedEntries(parts);
      onStop(() => entries.close());
      shared.push(entries);
      return entries;
    };
    const takeManaged = (key: string, value: unknown) => registry.takeManaged(key, value);
    const managed = new ManagedDevices(share({ journal, values }, 'api', takeManaged), values);
    const kept = openStateJournal({
      collector,
      log,
      folder: 'device-registry',
      name: 'found',
      contents: 'found devices',
    });
    onStop(() => kept.journal.close());
    const takeFound = (key: string, value: unknown) => registry.takeFound(key, value);
    const found = new FoundDevices(share(kept, 'found', takeFound), kept.values);
    if (managed.foreign + found.foreign > 0) {
      const entries = managed.foreign + found.foreign;
      log.warn({ entries }, 'Some stored devices cannot be read. They are ignored.');
    }
    const registry: Registry = new Registry({
      managed,
      found,
      generation: () => needs.definitions.current,
      secrets: { env, directory: collector.secretsDirectory },
      events,
      now: Date.now,
      whenShared: async () => void (await Promise.all(shared.map((each) => each.settled()))),
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
