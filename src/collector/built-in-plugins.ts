import { fileURLToPath } from 'node:url';
import { PluginFinder } from '../kernel/plugin-finder.ts';
import { pipelinePlugin } from '../pipeline/pipeline-plugin.ts';

/** Where the built-in plugins are: plugins/ beside src/, and the outputs one level deeper. */
const builtInRoots = ['../../plugins/', '../../plugins/outputs/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Finds the built-in plugins, and those that `directory` can reach: packages installed there and relative paths. */
export function createPluginFinder(directory: string): PluginFinder {
  return new PluginFinder({ always: [pipelinePlugin], builtInRoots, directory });
}

/** Finds the pipeline and nothing else: a test names all its other plugins. */
export function createTestFinder(directory: string): PluginFinder {
  return new PluginFinder({ always: [pipelinePlugin], builtInRoots: [], directory });
}
