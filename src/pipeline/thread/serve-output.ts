import type { MessagePort } from 'node:worker_threads';
import { defineErrors } from '../../kernel/errors.ts';
import { type EventBus, EventExchange } from '../../kernel/event-bus.ts';
import type { Batch } from '../../model/batch.ts';
import { BatchDecoder } from '../../model/batch-form/batch-decoder.ts';
import type { OutputContext, OutputPlugin, OutputWriter } from '../output.ts';
import { findRefused } from '../permanent-error.ts';
import { carryError, reviveError } from './carried-error.ts';
import { reviveOptions } from './carried-options.ts';
import { outputThreadErrors } from './errors.ts';
import { createThreadLog } from './thread-log.ts';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';

const failure = defineErrors(outputThreadErrors);

/** Opens an output in this thread and writes what the collector sends, until it closes it. */
export async function serveOutput(port: MessagePort, data: ThreadData): Promise<void> {
  const answer = (message: FromThread) => port.postMessage(message);
  const log = createThreadLog(data.logLevel, answer);
  const exchange = new EventExchange(log);
  const { bus } = exchange.open(data.name);
  const events: EventBus = {
    on(event, listener) {
      answer({ kind: 'listen', event });
      return bus.on(event, listener);
    },
    emit: (event, payload) => answer({ kind: 'emit', event, payload }),
  };
  const stopping = new AbortController();
  let queued = 0;
  const { name, collector } = data;
  const options = reviveOptions(data.options) as OutputContext['options'];
  const context = { name, options, needs: {}, events, log, collector, signal: stopping.signal };

  const served = new ServedOutput({
    answer,
    open: async () => openOutput(data, { ...context, queuedBatches: () => queued }),
    onWritten(batches) {
      queued = Math.max(0, queued - batches);
    },
  });
  port.on('message', (message: ToThread) => {
    if ('queued' in message) queued = message.queued;
    if (message.kind === 'event') exchange.emit(message.event, message.payload);
    else if (message.kind === 'stop') stopping.abort();
    else served.obey(message);
  });
  await served.open();
}

async function openOutput({ module, name }: ThreadData, context: OutputContext): Promise<OutputWriter> {
  const { default: plugin } = (await import(module)) as { readonly default?: Partial<OutputPlugin> };
  if (typeof plugin?.open !== 'function') throw failure('OUTPUT_HAS_NO_THREAD', { module, output: name });
  return plugin.open(context);
}

interface ServedParts {
  readonly answer: (message: FromThread) => void;
  readonly open: () => Promise<OutputWriter>;
  /** Called when so many batches wait no more. */
  readonly onWritten: (batches: number) => void;
}

/** The writer of this thread, at the collector's command. */
class ServedOutput {
  readonly #parts: ServedParts;
  readonly #decoder = new BatchDecoder();
  readonly #attempts = new Map<number, AbortController>();
  #writer: OutputWriter | undefined;
  #group: readonly Batch[] = [];

  constructor(parts: ServedParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { answer, open } = this.#parts;
    try {
      this.#writer = await open();
      answer({ kind: 'opened' });
    } catch (error) {
      answer({ kind: 'refused-to-open', error: carryError(error) });
    }
  }

  obey(message: ToThread & { readonly kind: 'write' | 'abort' | 'close' }): void {
    if (message.kind === 'write') void this.#write(message.id, message.batches);
    else if (message.kind === 'abort') this.#attempts.get(message.id)?.abort(reviveError(message.why));
    else void this.#close();
  }

  async #write(id: number, packed: readonly Uint8Array[] | undefined): Promise<void> {
    const { answer, onWritten } = this.#parts;
    const attempt = new AbortController();
    this.#attempts.set(id, attempt);
    const group = this.#unpack(packed);
    try {
      await this.#writer!.write(group, { signal: attempt.signal });
      onWritten(group.length);
      answer({ kind: 'written', id });
    } catch (error) {
      const refused = findRefused(error, group);
      if (refused !== undefined) onWritten(group.length);
      const places = refused?.batches.map((batch) => group.indexOf(batch));
      answer({
        kind: 'failed',
        id,
        error: carryError(error),
        refused: places,
        refusedValues: refused?.values,
      });
    } finally {
      this.#attempts.delete(id);
    }
  }

  /** A group that comes again is the very same list: that is how writers know it. */
  #unpack(packed: readonly Uint8Array[] | undefined): readonly Batch[] {
    if (packed !== undefined) {
      this.#group = packed.map(({ buffer, byteOffset, byteLength }) =>
        this.#decoder.decode(Buffer.from(buffer, byteOffset, byteLength)),
      );
    }
    return this.#group;
  }

  async #close(): Promise<void> {
    const { answer } = this.#parts;
    try {
      await this.#writer?.close?.();
      answer({ kind: 'closed', error: undefined });
    } catch (error) {
      answer({ kind: 'closed', error: carryError(error) });
    }
  }
}
