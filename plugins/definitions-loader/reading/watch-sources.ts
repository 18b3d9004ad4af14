import { type FSWatcher, watch } from 'node:fs';
import type { Logger } from '../../../src/index.ts';
import { type DefinitionSources, listRoots } from './definition-roots.ts';

/** Editors write a file in several steps, and a deployment writes many files. */
const quietMs = 500;

/** Calls `onChange` once files below the roots have changed and no more changes follow. Returns a function that stops watching. */
export function watchSources(sources: DefinitionSources, log: Logger, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, quietMs);
  };
  const directories = new Set([
    ...sources.directories,
    ...listRoots({ directories: [], paths: sources.paths }).map((root) => root.directory),
  ]);
  const watchers = [...directories].flatMap((directory) => watchOne(directory, log, later));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

function watchOne(directory: string, log: Logger, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(directory, { recursive: true }, onChange);
    watcher.on('error', (error) =>
      log.warn(
        { error, directory },
        'Watching a definition directory failed. Its changes are no longer applied automatically.',
      ),
    );
    return [watcher];
  } catch (error) {
    log.warn({ error, directory }, 'A definition directory cannot be watched. Apply its changes by hand.');
    return [];
  }
}
