import { env } from 'node:process';
import { type CheckedSet, checkSet, type DefinitionKind, ProblemLocator } from '../../src/internal.ts';
import { DefinitionReader } from './reading/definition-reader.ts';
import { type DefinitionSources, isShippedFile } from './reading/definition-roots.ts';
import { countDefinitions } from './worker/definition-counts.ts';
import type { DefinitionCounts } from './worker/worker-messages.ts';

/** A set of definitions without a collector, for commands and tests. */
export interface OfflineSet extends CheckedSet {
  readonly counts: DefinitionCounts;
  readonly places: ProblemLocator;
}

/** Reads and checks definitions in this thread. */
export function readDefinitions(sources: DefinitionSources, secretsDirectory?: string): OfflineSet {
  const set = checkSet(new DefinitionReader().read(sources), { env, directory: secretsDirectory });
  return { ...set, counts: countDefinitions(set.raw), places: new ProblemLocator(set.origins) };
}

/** How many definitions of each kind are not shipped ones. */
export function countOwn({ raw, origins }: OfflineSet): DefinitionCounts {
  const own = Object.entries<ReadonlyMap<string, unknown>>(raw).map(([kind, definitions]) => {
    const files = origins[kind as DefinitionKind];
    return [kind, new Map([...definitions].filter(([id]) => !isShippedFile(files.get(id)?.name ?? '')))];
  });
  return countDefinitions(Object.fromEntries(own));
}

export { chooseSources, type SourceOptions } from './reading/choose-sources.ts';
export { type DefinitionSources, isShippedFile, listRoots } from './reading/definition-roots.ts';
export { findFiles } from './reading/find-files.ts';
export type { DefinitionCounts } from './worker/worker-messages.ts';
