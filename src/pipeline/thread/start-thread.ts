import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread that runs the module at `url`, of the sources or built. */
export function startThread(url: string, options: WorkerOptions): Worker {
  if (url.endsWith('.js')) return new Worker(new URL(url), options);
  // From the sources: a thread of Node 20 does not inherit the loader that reads TypeScript.
  const code = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => {
    register();
    return import(${JSON.stringify(url)});
  });`;
  return new Worker(code, { ...options, eval: true });
}
