import { fileURLToPath } from 'node:url';
import { PluginFinder } from '../kernel/plugin-finder.ts';
import { pipelinePlugin } from '../pipeline/pipeline-plugin.ts';
import { shardsPlugin } from '../sharding/shards.ts';

/** Where the built-in plugins are: plugins/ beside src/, and the outputs one level deeper. */
const builtInRoots = ['../../plugins/', '../../plugins/outputs/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Finds the built-in plugins, and those that `directory` can reach: packages installed there and relative paths. */
export function createPluginFinder(directory: string): PluginFinder {
  return new PluginFinder({ always: [pipelinePlugin, shardsPlugin], builtInRoots, directory });
}

/** Finds the pipeline and the default of `shards`, nothing else: a test names all its other plugins. */
export function createTestFinder(directory: string): PluginFinder {
  return new PluginFinder({ always: [pipelinePlugin, shardsPlugin], builtInRoots: [], directory });
}
