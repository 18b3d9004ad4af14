import { Worker, type WorkerOptions } from 'node:worker_threads';
import { loaderFailure } from '../loader-errors.ts';
import type { WorkerReplies, WorkerRequest } from './worker-messages.ts';

/** The main thread's side of the worker. Requests are answered in their order; a worker that died is started again. */
export class WorkerClient {
  #worker: Worker | undefined;
  readonly #waiting: { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }[] =
    [];

  ask<Type extends WorkerRequest['type']>(
    request: Extract<WorkerRequest, { type: Type }>,
  ): Promise<WorkerReplies[Type]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      const worker = this.#started();
      worker.ref();
      worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** Whether the worker still has what was accepted; after it died everything is sent again. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = startThread();
    worker.unref();
    worker.on('message', ({ value, error }: { value: never; error?: string }) => {
      const { resolve, reject } = this.#waiting.shift()!;
      // Only a request under way keeps the process alive.
      if (this.#waiting.length === 0) worker.unref();
      if (error === undefined) resolve(value);
      else reject(loaderFailure('DEFINITIONS_WORKER_FAILED', { reason: error }));
    });
    worker.on('error', (error) => this.#fail(worker, error.message));
    worker.on('exit', (code) => this.#fail(worker, `it ended with code ${code}`));
    this.#worker = worker;
    return worker;
  }

  #fail(worker: Worker, reason: string): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const { reject } of this.#waiting.splice(0)) {
      reject(loaderFailure('DEFINITIONS_WORKER_FAILED', { reason }));
    }
  }
}

function startThread(): Worker {
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
