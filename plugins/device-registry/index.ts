import { join } from 'node:path';
import { env } from 'node:process';
import { definePlugin, Journal } from '../../src/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { ManagedDevices } from './managed-devices.ts';
import { Registry } from './registry.ts';
import { deviceRegistryToken } from './service.ts';

export default definePlugin({
  name: 'device-registry',
  kind: 'service',
  summary: 'Knows every device by address and port, its settings and its state.',
  needs: { definitions: definitionsToken },
  provides: deviceRegistryToken,
  start({ needs, events, collector, log, onStop }) {
    const { journal, content } = Journal.open(
      join(collector.stateDirectory, 'device-registry', 'devices.journal'),
      {
        groupMs: 200,
        onError: (error) => log.error({ error }, 'The devices of the API could not be stored.'),
      },
    );
    onStop(() => journal.close());
    if (content.damagedLines > 0) {
      log.warn({ lines: content.damagedLines }, 'Stored devices were damaged; the rest was read.');
    }

    const registry = new Registry({
      managed: new ManagedDevices(journal, content.values),
      secrets: { env, directory: collector.secretsDirectory },
      events,
      now: Date.now,
    });
    registry.replaceFromFiles(needs.definitions.current.devices());
    events.on('definitions.changed', () => registry.replaceFromFiles(needs.definitions.current.devices()));
    return registry;
  },
});
