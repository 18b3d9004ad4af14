import type { MessagePort } from 'node:worker_threads';
import { defineErrors } from '../../kernel/errors.ts';
import { type EventBus, EventExchange } from '../../kernel/event-bus.ts';
import type { Batch } from '../../model/batch.ts';
import { BatchDecoder } from '../../model/batch-form/batch-decoder.ts';
import type { OutputContext, OutputPlugin, OutputWriter } from '../output-writer.ts';
import { findRefused } from '../permanent-error.ts';
import { outputThreadErrors } from './errors.ts';
import { createThreadLog } from './thread-log.ts';
import {
  type FromThread,
  packError,
  type ThreadData,
  type ToThread,
  unpackError,
  unpackOptions,
} from './thread-messages.ts';

const failure = defineErrors(outputThreadErrors);

/** Opens an output in this thread and writes what the collector sends, until the collector closes the output. */
export async function serveOutput(port: MessagePort, data: ThreadData): Promise<void> {
  const send = (message: FromThread) => port.postMessage(message);
  const log = createThreadLog(data.logLevel, send);
  const exchange = new EventExchange(log);
  const { bus } = exchange.open(data.name);
  const events: EventBus = {
    on(event, listener) {
      send({ kind: 'listen', event });
      return bus.on(event, listener);
    },
    emit: (event, payload) => send({ kind: 'emit', event, payload }),
  };
  const stopping = new AbortController();
  let queued = 0;
  const { name, collector } = data;
  const options = unpackOptions(data.options) as OutputContext['options'];
  const context = { name, options, needs: {}, events, log, collector, signal: stopping.signal };

  const served = new ServedOutput({
    send,
    open: async () => openOutput(data, { ...context, queuedBatches: () => queued }),
    onWritten(batches) {
      queued = Math.max(0, queued - batches);
    },
  });
  port.on('message', (message: ToThread) => {
    if ('queued' in message) queued = message.queued;
    if (message.kind === 'event') exchange.emit(message.event, message.payload);
    else if (message.kind === 'stop') stopping.abort();
    else served.handle(message);
  });
  await served.open();
}

async function openOutput({ module, name }: ThreadData, context: OutputContext): Promise<OutputWriter> {
  const { default: plugin } = (await import(module)) as { readonly default?: Partial<OutputPlugin> };
  if (typeof plugin?.open !== 'function') throw failure('OUTPUT_HAS_NO_THREAD', { module, output: name });
  return plugin.open(context);
}

interface ServedParts {
  readonly send: (message: FromThread) => void;
  readonly open: () => Promise<OutputWriter>;
  /** Called with the number of batches that no longer wait. */
  readonly onWritten: (batches: number) => void;
}

/** The writer of this thread, controlled by messages of the collector. */
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
    const { send, open } = this.#parts;
    try {
      this.#writer = await open();
      send({ kind: 'opened' });
    } catch (error) {
      send({ kind: 'refused-to-open', error: packError(error) });
    }
  }

  handle(message: ToThread & { readonly kind: 'write' | 'abort' | 'close' }): void {
    if (message.kind === 'write') void this.#write(message.id, message.batches);
    else if (message.kind === 'abort') this.#attempts.get(message.id)?.abort(unpackError(message.why));
    else void this.#close();
  }

  async #write(id: number, packed: readonly Uint8Array[] | undefined): Promise<void> {
    const { send, onWritten } = this.#parts;
    const attempt = new AbortController();
    this.#attempts.set(id, attempt);
    const group = this.#unpack(packed);
    try {
      await this.#writer!.write(group, { signal: attempt.signal });
      onWritten(group.length);
      send({ kind: 'written', id });
    } catch (error) {
      const refused = findRefused(error, group);
      if (refused !== undefined) onWritten(group.length);
      const placesOf = (batches: readonly Batch[]) => batches.map((batch) => group.indexOf(batch));
      send({
        kind: 'failed',
        id,
        error: packError(error),
        refused: refused && placesOf(refused.batches),
        refusedValues: refused?.values,
        fenced: refused && placesOf(refused.fenced),
      });
    } finally {
      this.#attempts.delete(id);
    }
  }

  /** A repeated group is the same list as before: writers recognise it by that. */
  #unpack(packed: readonly Uint8Array[] | undefined): readonly Batch[] {
    if (packed !== undefined) {
      this.#group = packed.map(({ buffer, byteOffset, byteLength }) =>
        this.#decoder.decode(Buffer.from(buffer, byteOffset, byteLength)),
      );
    }
    return this.#group;
  }

  async #close(): Promise<void> {
    const { send } = this.#parts;
    try {
      await this.#writer?.close?.();
      send({ kind: 'closed', error: undefined });
    } catch (error) {
      send({ kind: 'closed', error: packError(error) });
    }
  }
}
