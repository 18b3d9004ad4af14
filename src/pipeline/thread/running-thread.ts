import { defineErrors } from '../../kernel/errors.ts';
import type { Batch } from '../../model/batch.ts';
import type { EventMap, EventName } from '../../model/event-map.ts';
import { runInSlices } from '../../timing/slices.ts';
import { carryError, reviveError } from './carried-error.ts';
import { carryOptions } from './carried-options.ts';
import { outputThreadErrors } from './errors.ts';
import type { OutputThreadSettings, Thread } from './output-thread.ts';
import { startThread } from './start-thread.ts';
import { passOnLog } from './thread-log.ts';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';

const failure = defineErrors(outputThreadErrors);

interface Attempt {
  readonly batches: readonly Batch[];
  readonly later: PromiseLater;
}

/** One life of an output's thread, from its start to its end, which may come at any time. */
export class RunningThread {
  readonly #settings: OutputThreadSettings;
  readonly #thread: Thread;
  readonly #attempts = new Map<number, Attempt>();
  readonly #unsubscribes = new Map<EventName, () => void>();
  /** What the thread has. */
  #group: readonly Batch[] | undefined;
  #lastId = 0;
  #error: unknown;
  #isClosing = false;
  #end: Error | undefined;
  readonly #opening = promiseLater();
  readonly #closing = promiseLater();

  private constructor(settings: OutputThreadSettings) {
    const { module, context } = settings;
    const { name, options, log, collector } = context;
    const { instance, version, stateDirectory, secretsDirectory } = collector;
    const data: ThreadData = {
      module,
      name,
      options: carryOptions(options),
      collector: { instance, version, stateDirectory, secretsDirectory },
      logLevel: log.level,
    };
    this.#settings = settings;
    this.#thread = (settings.start ?? startWorker)(data);
    this.#thread.on('message', (message) => this.#hear(message));
    this.#thread.on('error', (error) => {
      this.#error = error;
    });
    this.#thread.on('exit', (code) => this.#bury(code));
    context.signal.addEventListener('abort', this.#tellStop);
  }

  /** Resolves when the output is open there; rejects with what its `open` threw. */
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

  /** As a Writer; rejects too when the thread ends. */
  async write(batches: readonly Batch[], signal: AbortSignal): Promise<void> {
    const packed = batches === this.#group ? undefined : await this.#pack(batches, signal);
    if (this.#end !== undefined) throw this.#end;
    const id = ++this.#lastId;
    const later = promiseLater();
    this.#attempts.set(id, { batches, later });
    const queued = this.#settings.context.queuedBatches();
    this.#tell({ kind: 'write', id, batches: packed, queued }, packed);
    this.#group = batches;
    const abort = () => this.#tell({ kind: 'abort', id, why: carryError(signal.reason) });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    return later.promise.finally(() => signal.removeEventListener('abort', abort));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#end !== undefined) return;
    this.#tell({ kind: 'close' });
    try {
      await this.#closing.promise;
    } finally {
      await this.#thread.terminate();
    }
  }

  /** In slices: encoding is the part that the thread of polling keeps. */
  async #pack(batches: readonly Batch[], signal: AbortSignal): Promise<Uint8Array[]> {
    const packed: Uint8Array[] = [];
    const pack = (batch: Batch) => void packed.push(Uint8Array.from(this.#settings.encoder.encode(batch)));
    await runInSlices(batches, pack, signal);
    return packed;
  }

  #tell(message: ToThread, owned: readonly Uint8Array[] = []): void {
    this.#thread.postMessage(
      message,
      owned.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  readonly #tellStop = () => this.#tell({ kind: 'stop' });

  #hear(message: FromThread): void {
    const { log, events } = this.#settings.context;
    switch (message.kind) {
      case 'opened':
        this.#opening.resolve();
        break;
      case 'refused-to-open':
        this.#opening.reject(reviveError(message.error));
        break;
      case 'written':
        this.#take(message.id)?.later.resolve();
        break;
      case 'failed':
        this.#fail(message);
        break;
      case 'listen':
        this.#listen(message.event);
        break;
      case 'emit':
        events.emit(message.event, message.payload);
        break;
      case 'log':
        passOnLog(log, message);
        break;
      case 'closed':
        if (message.error === undefined) this.#closing.resolve();
        else this.#closing.reject(reviveError(message.error));
    }
  }

  #fail({ id, error, refused, refusedValues }: FromThread & { readonly kind: 'failed' }): void {
    const attempt = this.#take(id);
    const batches = refused?.map((place) => attempt?.batches[place]);
    attempt?.later.reject(Object.assign(reviveError(error), { refused: batches, refusedValues }));
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
      this.#tell({ kind: 'event', event, payload, queued: queuedBatches() });
    this.#unsubscribes.set(event, events.on(event, pass));
  }

  #bury(code: number): void {
    const { name, log, signal } = this.#settings.context;
    const end = failure('OUTPUT_THREAD_ENDED', { output: name, code }, this.#error);
    this.#end = end;
    signal.removeEventListener('abort', this.#tellStop);
    for (const unsubscribe of this.#unsubscribes.values()) unsubscribe();
    if (!this.#isClosing) log.error({ error: end }, 'The thread of the output ended.');
    this.#opening.reject(end);
    this.#closing.resolve();
    for (const { later } of this.#attempts.values()) later.reject(end);
    this.#attempts.clear();
  }
}

function startWorker(data: ThreadData): Thread {
  const url = import.meta.url.replace(/running-thread(\.\w+)$/, 'output-worker$1');
  return startThread(url, { name: data.name, workerData: data }) as Thread;
}

interface PromiseLater {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function promiseLater(): PromiseLater {
  let parts: Omit<PromiseLater, 'promise'> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    parts = { resolve, reject };
  });
  return { promise, ...parts! };
}
