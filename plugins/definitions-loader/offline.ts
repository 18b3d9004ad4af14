import { env } from 'node:process';
import { type CheckedSet, checkSet, ProblemLocator } from '../../src/internal.ts';
import { DefinitionReader } from './reading/definition-reader.ts';
import type { DefinitionSources } from './reading/definition-roots.ts';
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

export type { DefinitionCounts } from './worker/worker-messages.ts';
