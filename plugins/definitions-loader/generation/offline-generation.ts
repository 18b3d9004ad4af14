import { sectionsOf } from '../../../src/internal.ts';
import type { OfflineSet } from '../offline.ts';
import { Generation } from './generation.ts';

/** A set of definitions as a collector would use it. */
export function generationOf(set: OfflineSet): Generation {
  const facts = { number: 0, appliedMs: 0, requestedBy: '', counts: set.counts, warnings: set.problems };
  return new Generation(facts, sectionsOf(set));
}
