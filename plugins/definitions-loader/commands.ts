import { env } from 'node:process';
import {
  type CheckedSet,
  checkSet,
  type DefinitionKind,
  ProblemLocator,
  sectionsOf,
} from '../../src/definitions/index.ts';
import type { Problem } from '../../src/index.ts';
import { Generation } from './generation/generation.ts';
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

/** A set of definitions as a collector would use it. */
export function generationOf(set: OfflineSet): Generation {
  const facts = { number: 0, appliedMs: 0, requestedBy: '', counts: set.counts, warnings: set.problems };
  return new Generation(facts, sectionsOf(set));
}

/**
 * What is not of shipped files: how many definitions of each kind, and the problems. Warnings in shipped files come from definitions
 * that replace others; errors in them stay.
 */
export function findOwn({ raw, origins, problems }: OfflineSet): {
  readonly counts: DefinitionCounts;
  readonly problems: readonly Problem[];
} {
  const own = Object.entries<ReadonlyMap<string, unknown>>(raw).map(([kind, definitions]) => {
    const files = origins[kind as DefinitionKind];
    return [kind, new Map([...definitions].filter(([id]) => !isShippedFile(files.get(id)?.name ?? '')))];
  });
  return {
    counts: countDefinitions(Object.fromEntries(own)),
    problems: problems.filter(({ level, file = '' }) => level === 'error' || !isShippedFile(file)),
  };
}

export { chooseSources, type SourceOptions } from './reading/choose-sources.ts';
export { type DefinitionSources, listRoots } from './reading/definition-roots.ts';
export { findFiles } from './reading/find-files.ts';
export type { DefinitionCounts } from './worker/worker-messages.ts';
