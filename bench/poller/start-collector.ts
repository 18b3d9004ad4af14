import { importBuilt } from '../support/built-code.ts';
import { definitionsOf, stateOf } from './bench-folder.ts';

const [{ Collector }, { createLogger }, { checkOptions }, { pipelinePlugin }, { shardsPlugin }] =
  await Promise.all([
    importBuilt<typeof import('../../src/kernel/collector.ts')>('src/kernel/collector.ts'),
    importBuilt<typeof import('../../src/kernel/logger.ts')>('src/kernel/logger.ts'),
    importBuilt<typeof import('../../src/kernel/plugin-options.ts')>('src/kernel/plugin-options.ts'),
    importBuilt<typeof import('../../src/pipeline/pipeline-plugin.ts')>('src/pipeline/pipeline-plugin.ts'),
    importBuilt<typeof import('../../src/sharding/shards.ts')>('src/sharding/shards.ts'),
  ]);
type PluginModule = typeof import('../../plugins/snmp-poller/index.ts');
export const { deviceRegistryToken } = await importBuilt<
  typeof import('../../plugins/device-registry/service.ts')
>('plugins/device-registry/service.ts');
export const { snmpClientToken } = await importBuilt<typeof import('../../plugins/snmp-client/service.ts')>(
  'plugins/snmp-client/service.ts',
);
export const { discoveryToken } = await importBuilt<typeof import('../../plugins/snmp-discovery/service.ts')>(
  'plugins/snmp-discovery/service.ts',
);
export const { pollerToken } = await importBuilt<typeof import('../../plugins/snmp-poller/service.ts')>(
  'plugins/snmp-poller/service.ts',
);

/**
 * Starts the built collector without outputs. `folder` has its definitions and its state. `more`: further plugins, by their folders, with their
 * options.
 */
export async function startCollector(
  folder: string,
  options: Readonly<Record<string, object>> = {},
  more: Readonly<Record<string, object>> = {},
) {
  const configure = async (path: string, own: object = {}) => {
    const { default: plugin } = await importBuilt<PluginModule>(`plugins/${path}/index.ts`);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const secrets = { env: { ...process.env, C: 'public' }, directory: undefined };
    const checked = checkOptions(plugin.options, own, { baseDirectory: folder, secrets });
    if (checked.problems.length > 0) throw new Error(JSON.stringify(checked.problems));
    return { name, plugin, options: checked.options, isBuiltIn: true };
  };
  const log = createLogger({ level: 'warn', instance: 'bench', destination: process.stderr });
  const collector = new Collector({
    instance: 'bench',
    version: '0.0.0',
    stateDirectory: stateOf(folder),
    log,
    plugins: [
      { name: 'pipeline', plugin: pipelinePlugin, options: {}, isBuiltIn: true },
      { name: 'shards', plugin: shardsPlugin, options: {}, isBuiltIn: true },
      await configure('definitions-loader', { shipped: false, directories: [definitionsOf(folder)] }),
      await configure('device-registry'),
      await configure('snmp-client'),
      await configure('snmp-discovery', options['snmp-discovery']),
      await configure('http-routes'),
      await configure('snmp-poller'),
      ...(await Promise.all(Object.entries(more).map(([path, own]) => configure(path, own)))),
    ],
  });
  await collector.start();
  return collector;
}
