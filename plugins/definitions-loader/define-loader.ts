import { definePlugin, type Plugin, pathOption, Type } from '../../src/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { DefinitionStore } from './generation/definition-store.ts';
import { protectDefinitions } from './generation/protect-definitions.ts';
import { chooseSources } from './reading/choose-sources.ts';
import { watchSources } from './reading/watch-sources.ts';
import { definitionsToken } from './service.ts';
import type { DefinitionThread } from './worker/worker-client.ts';

const roots = (holds: string) =>
  Type.Optional(
    Type.Array(pathOption({ description: 'a directory' }), {
      description: `directories that hold only ${holds}`,
    }),
  );

const options = Type.Object({
  shipped: Type.Boolean({
    default: true,
    description: 'also use the definitions that ship; your definition of an id replaces the shipped one',
  }),
  directories: Type.Optional(
    Type.Array(pathOption({ description: 'a directory' }), {
      description:
        'directories that hold devices/, defaults/, objects/ and so on; where two define the same id, the later directory wins (default: ./definitions, when it exists)',
    }),
  ),
  paths: Type.Optional(
    Type.Object(
      {
        defaults: roots('defaults'),
        devices: roots('devices'),
        device_groups: roots('device groups'),
        object_groups: roots('object groups'),
        objects: roots('objects'),
        notifications: roots('notifications'),
        enums: roots('enums'),
        autodiscover: roots('autodiscover files'),
      },
      { description: 'directories of one kind; they come after those of `directories`, so they win' },
    ),
  ),
  watch: Type.Boolean({ default: false, description: 'apply changed files automatically' }),
});

/** Makes the plugin. The thread that `startThread` starts reads and checks the files. */
export function defineLoader(startThread: () => DefinitionThread): Plugin {
  return definePlugin({
    name: 'definitions-loader',
    kind: 'service',
    summary: 'Reads, checks and swaps the definitions of devices, groups, objects and enums.',
    options,
    needs: { shards: shardsToken },
    provides: definitionsToken,
    startTimeoutMs: 60_000,
    async start({ options, needs, events, log, collector, onStop }) {
      const sources = chooseSources(options, collector.directory);
      const { fleet } = needs.shards;
      const store = new DefinitionStore({
        sources,
        collector,
        events,
        log,
        now: Date.now,
        startThread,
        fleet,
      });
      onStop(() => store.close());
      await store.load();
      if (options.watch) {
        const applyChange = () =>
          store
            .apply({ requestedBy: 'watch' })
            .catch((error: unknown) => log.error({ error }, 'Applying the changed definition files failed.'));
        onStop(watchSources(sources, log, applyChange));
      }
      return store;
    },
    viewFor: (definitions, { isBuiltIn }) => (isBuiltIn ? definitions : protectDefinitions(definitions)),
  });
}
