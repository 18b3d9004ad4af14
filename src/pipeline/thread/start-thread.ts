import { execArgv } from 'node:process';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread that runs the module at `url`, which may be TypeScript source or built. */
export function startThread(url: string, options: WorkerOptions): Worker {
  if (url.endsWith('.js')) {
    // A thread inherits --input-type of `node -e`, and then takes text only, no file.
    const takesText = execArgv.some((flag) => flag.startsWith('--input-type'));
    if (!takesText) return new Worker(new URL(url), options);
    return new Worker(`import(${JSON.stringify(url)});`, { ...options, eval: true });
  }
  // In Node 20 a thread does not inherit the loader for TypeScript.
  const code = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => {
    register();
    return import(${JSON.stringify(url)});
  });`;
  return new Worker(code, { ...options, eval: true });
}
