import { loaderFailure } from '../loader-errors.ts';
import type { WorkerReplies, WorkerReply, WorkerRequest } from './worker-messages.ts';

/** The part of a thread that the client uses, so that other tests do not need a thread. */
export interface DefinitionThread {
  on(event: 'message', listener: (reply: WorkerReply) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  postMessage(request: WorkerRequest): void;
  /** Keeps the process alive until `unref`. */
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

/** The main thread's side of the worker. Replies come in the order of requests. Starts a worker again that died, or ended because it had nothing to do. */
export class WorkerClient {
  readonly #startThread: () => DefinitionThread;
  readonly #idleMs: number;
  #worker: DefinitionThread | undefined;
  #mayEnd = false;
  #ending: NodeJS.Timeout | undefined;
  readonly #pending: { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }[] =
    [];

  constructor(startThread: () => DefinitionThread, idleMs = 10_000) {
    this.#startThread = startThread;
    this.#idleMs = idleMs;
  }

  ask<Type extends WorkerRequest['type']>(
    request: Extract<WorkerRequest, { type: Type }>,
  ): Promise<WorkerReplies[Type]> {
    return new Promise((resolve, reject) => {
      clearTimeout(this.#ending);
      this.#pending.push({ resolve, reject });
      const worker = this.#runningWorker();
      worker.ref();
      worker.postMessage(request);
    });
  }

  /** Whether the worker may end when it has nothing to do: what it holds can be restored. False for each new worker. */
  set mayEnd(mayEnd: boolean) {
    this.#mayEnd = mayEnd;
    this.#endWhenIdle();
  }

  async close(): Promise<void> {
    clearTimeout(this.#ending);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** Whether the worker still has the accepted set; after it died, the set must be restored. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  #runningWorker(): DefinitionThread {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#startThread();
    this.#mayEnd = false;
    worker.unref();
    worker.on('message', (reply) => {
      // A thread that was terminated may still send a reply.
      if (this.#worker !== worker) return;
      const { resolve, reject } = this.#pending.shift()!;
      // Only pending requests keep the process alive.
      if (this.#pending.length === 0) worker.unref();
      this.#endWhenIdle();
      if ('value' in reply) resolve(reply.value as never);
      else reject(loaderFailure('DEFINITIONS_WORKER_FAILED', { reason: reply.error }));
    });
    worker.on('error', (error) => this.#fail(worker, error.message));
    worker.on('exit', (code) => this.#fail(worker, `it exited with code ${code}`));
    this.#worker = worker;
    return worker;
  }

  #endWhenIdle(): void {
    clearTimeout(this.#ending);
    if (!this.#mayEnd || this.#pending.length > 0) return;
    this.#ending = setTimeout(() => void this.close(), this.#idleMs).unref();
  }

  #fail(worker: DefinitionThread, reason: string): void {
    // The requests are those of another one that was started since.
    if (this.#worker !== undefined && this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#pending.splice(0)) {
      reject(loaderFailure('DEFINITIONS_WORKER_FAILED', { reason }));
    }
  }
}
