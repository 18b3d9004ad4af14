import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread that runs definition-worker. */
export function startThread(): Worker {
  const settings: WorkerOptions = {
    name: 'definitions',
    // Far above the need of 64 MiB of files: a worker that runs out ends alone. A small nursery saves 50 MiB.
    resourceLimits: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 16 },
  };
  if (import.meta.url.endsWith('.js'))
    return new Worker(new URL('./definition-worker.js', import.meta.url), settings);
  // From the sources: a thread of Node 20 does not inherit the loader that reads TypeScript.
  const code = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => {
    register();
    return import(${JSON.stringify(new URL('./definition-worker.ts', import.meta.url).href)});
  });`;
  return new Worker(code, { ...settings, eval: true });
}
