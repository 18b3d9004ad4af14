import type { Worker } from 'node:worker_threads';
import { startThread as startModule } from '../../../src/internal.ts';

/** A thread that runs definition-worker. */
export function startThread(): Worker {
  return startModule(import.meta.url.replace(/start-thread(\.\w+)$/, 'definition-worker$1'), {
    name: 'definitions',
    // Far above the need of 64 MiB of files: a worker that runs out ends alone. A small nursery saves 50 MiB.
    resourceLimits: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 16 },
  });
}
