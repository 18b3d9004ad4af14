import type { Worker } from 'node:worker_threads';
import { startThread as startModule } from '../../../src/pipeline/index.ts';

/** Starts a thread that runs definition-worker. */
export function startThread(): Worker {
  return startModule(import.meta.url.replace(/start-thread(\.\w+)$/, 'definition-worker$1'), {
    name: 'definitions',
    // Far more than 64 MiB of files need. A worker that runs out of memory does not end the process. A small young generation saves 50 MiB.
    resourceLimits: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 16 },
  });
}
