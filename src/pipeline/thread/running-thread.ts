import { defineErrors } from '../../kernel/errors.ts';
import type { Batch } from '../../model/batch.ts';
import type { BatchEncoder } from '../../model/batch-form/batch-encoder.ts';
import type { EventMap, EventName } from '../../model/event-map.ts';
import { runInSlices } from '../../timing/slices.ts';
import type { OutputContext } from '../output-writer.ts';
import { outputThreadErrors } from './errors.ts';
import { startThread } from './start-thread.ts';
import { forwardLog } from './thread-log.ts';
import {
  type FromThread,
  packError,
  packOptions,
  type ThreadData,
  type ToThread,
  unpackError,
} from './thread-messages.ts';

const failure = defineErrors(outputThreadErrors);

export interface OutputThreadSettings {
  /** The module whose default export is the output plugin. */
  readonly module: string;
  readonly context: OutputContext;
  readonly encoder: BatchEncoder;
  /** Starts the thread: a worker, unless a test replaces it. */
  readonly start?: (data: ThreadData) => Thread;
}

/** The part of a worker that is needed here. */
export interface Thread {
  on(event: 'message', listener: (message: FromThread) => void): void;
  on(event: 'error', listener: (error: unknown) => void): void;
  on(event: 'exit', listener: (code: number) => void): void;
  postMessage(message: ToThread, owned: readonly ArrayBuffer[]): void;
  terminate(): Promise<unknown>;
}

interface Attempt {
  readonly batches: readonly Batch[];
  readonly result: Deferred;
}

/** The thread of an output from its start to its end, which may come at any time. */
export class RunningThread {
  readonly #settings: OutputThreadSettings;
  readonly #thread: Thread;
  readonly #attempts = new Map<number, Attempt>();
  readonly #unsubscribes = new Map<EventName, () => void>();
  /** The group that the thread has. */
  #group: readonly Batch[] | undefined;
  #lastId = 0;
  #error: unknown;
  #isClosing = false;
  #end: Error | undefined;
  readonly #opening = createDeferred();
  readonly #closing = createDeferred();

  private constructor(settings: OutputThreadSettings) {
    const { module, context } = settings;
    const { name, options, log, collector } = context;
    const { instance, version, directory, stateDirectory, secretsDirectory } = collector;
    const data: ThreadData = {
      module,
      name,
      options: packOptions(options),
      collector: { instance, version, directory, stateDirectory, secretsDirectory },
      logLevel: log.level,
    };
    this.#settings = settings;
    this.#thread = (settings.start ?? startWorker)(data);
    this.#thread.on('message', (message) => this.#onMessage(message));
    this.#thread.on('error', (error) => {
      this.#error = error;
    });
    this.#thread.on('exit', (code) => this.#onExit(code));
    context.signal.addEventListener('abort', this.#postStop);
  }

  /** Resolves when the output is open in the thread. Rejects with what its `open` threw. */
  static async start(settings: OutputThreadSettings): Promise<RunningThread> {
    const thread = new RunningThread(settings);
    try {
      await thread.#opening.promise;
    } catch (error) {
      thread.#isClosing = true;
      await thread.#thread.terminate();
      throw error;
    }
    return thread;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Like a Writer. Also rejects when the thread ends. */
  async write(batches: readonly Batch[], signal: AbortSignal): Promise<void> {
    const packed = batches === this.#group ? undefined : await this.#pack(batches, signal);
    if (this.#end !== undefined) throw this.#end;
    const id = ++this.#lastId;
    const result = createDeferred();
    this.#attempts.set(id, { batches, result });
    const queued = this.#settings.context.queuedBatches();
    this.#post({ kind: 'write', id, batches: packed, queued }, packed);
    this.#group = batches;
    const abort = () => this.#post({ kind: 'abort', id, why: packError(signal.reason) });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    return result.promise.finally(() => signal.removeEventListener('abort', abort));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#end !== undefined) return;
    this.#post({ kind: 'close' });
    try {
      await this.#closing.promise;
    } finally {
      await this.#thread.terminate();
    }
  }

  /** Encodes in slices, because it runs in the thread that polls. */
  async #pack(batches: readonly Batch[], signal: AbortSignal): Promise<Uint8Array[]> {
    const packed: Uint8Array[] = [];
    const pack = (batch: Batch) => void packed.push(Uint8Array.from(this.#settings.encoder.encode(batch)));
    await runInSlices(batches, pack, signal);
    return packed;
  }

  #post(message: ToThread, owned: readonly Uint8Array[] = []): void {
    this.#thread.postMessage(
      message,
      owned.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  readonly #postStop = () => this.#post({ kind: 'stop' });

  #onMessage(message: FromThread): void {
    const { log, events } = this.#settings.context;
    switch (message.kind) {
      case 'opened':
        this.#opening.resolve();
        break;
      case 'refused-to-open':
        this.#opening.reject(unpackError(message.error));
        break;
      case 'written':
        this.#take(message.id)?.result.resolve();
        break;
      case 'failed':
        this.#onFailed(message);
        break;
      case 'listen':
        this.#listen(message.event);
        break;
      case 'emit':
        events.emit(message.event, message.payload);
        break;
      case 'log':
        forwardLog(log, message);
        break;
      case 'closed':
        if (message.error === undefined) this.#closing.resolve();
        else this.#closing.reject(unpackError(message.error));
    }
  }

  #onFailed({ id, error, refused, refusedValues, fenced }: FromThread & { readonly kind: 'failed' }): void {
    const attempt = this.#take(id);
    const at = (places?: readonly number[]) => places?.map((place) => attempt?.batches[place]);
    const facts = { refused: at(refused), refusedValues, fenced: at(fenced) };
    attempt?.result.reject(Object.assign(unpackError(error), facts));
  }

  #take(id: number): Attempt | undefined {
    const attempt = this.#attempts.get(id);
    this.#attempts.delete(id);
    return attempt;
  }

  #listen(event: EventName): void {
    if (this.#unsubscribes.has(event)) return;
    const { events, queuedBatches } = this.#settings.context;
    const pass = (payload: EventMap[EventName]) =>
      this.#post({ kind: 'event', event, payload, queued: queuedBatches() });
    this.#unsubscribes.set(event, events.on(event, pass));
  }

  #onExit(code: number): void {
    const { name, log, signal } = this.#settings.context;
    const end = failure('OUTPUT_THREAD_ENDED', { output: name, code }, this.#error);
    this.#end = end;
    signal.removeEventListener('abort', this.#postStop);
    for (const unsubscribe of this.#unsubscribes.values()) unsubscribe();
    if (!this.#isClosing) log.error({ error: end }, 'The thread of the output ended.');
    this.#opening.reject(end);
    this.#closing.resolve();
    for (const { result } of this.#attempts.values()) result.reject(end);
    this.#attempts.clear();
  }
}

function startWorker(data: ThreadData): Thread {
  const url = import.meta.url.replace(/running-thread(\.\w+)$/, 'output-worker$1');
  return startThread(url, { name: data.name, workerData: data }) as Thread;
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function createDeferred(): Deferred {
  let parts: Omit<Deferred, 'promise'> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    parts = { resolve, reject };
  });
  return { promise, ...parts! };
}
