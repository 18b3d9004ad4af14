import type { EventBus } from '../kernel/event-bus.ts';
import type { Logger } from '../kernel/logger.ts';
import {
  type CollectorFacts,
  definePlugin,
  type NeededServices,
  type Needs,
  type Plugin,
} from '../kernel/plugin.ts';
import { type Static, type TObject, Type } from '../typebox.ts';
import { Delivery, type Writer } from './delivery.ts';
import { deliverySchema, maxDrainMs, queueOptions, threadOptions } from './delivery-settings.ts';
import { pipelineToken } from './pipeline.ts';
import { openDeadLetters, openQueue } from './queue/open-queue.ts';
import type { OutputQueue } from './queue/output-queue.ts';
import { OutputThread } from './thread/output-thread.ts';

/** The part of an output that only its author can write. */
export interface OutputWriter {
  readonly write: Writer;
  /** Called once, after the last `write`. */
  close?(): void | Promise<void>;
}

export interface OutputDefinition<Schema extends TObject, N extends Needs> {
  readonly name: string;
  readonly summary: string;
  /** The output's own options; those of every output (`queue`, `disk_queue`, `delivery`) are added. */
  readonly options?: Schema;
  readonly needs?: N;
  /**
   * `import.meta.url` of the module whose default export this output is: then it has the option `thread`, with which all of it
   * runs in a thread of its own. For an output that needs no services.
   */
  readonly module?: string;
  /** Called once at start, and again when its thread has ended. What cannot work (a port in use, a wrong file) must throw here. */
  open(context: OutputContext<Static<Schema>, NeededServices<N>>): OutputWriter | Promise<OutputWriter>;
}

/** What an output is opened with. Everything in it ends with the output. */
export interface OutputContext<Options = unknown, Services = Readonly<Record<string, unknown>>> {
  readonly name: string;
  readonly options: Options;
  readonly needs: Services;
  /** Listeners added here are removed when the output stops. */
  readonly events: EventBus;
  readonly log: Logger;
  readonly collector: Omit<CollectorFacts, 'describe'>;
  readonly signal: AbortSignal;
  /** How many batches wait for this output, those under delivery included. */
  queuedBatches(): number;
}

/** What `defineOutput` makes: a plugin, and its own part for whoever runs that elsewhere. */
export interface OutputPlugin extends Plugin {
  open(context: OutputContext): OutputWriter | Promise<OutputWriter>;
}

/**
 * Makes an output plugin with everything that outputs have in common: a bounded queue in memory or on the disk, groups,
 * retries with back-off, drop counts, a place for what is refused, and a drain at stop.
 */
export function defineOutput<
  Schema extends TObject = TObject<Record<never, never>>,
  const N extends Needs = Record<never, never>,
>(definition: OutputDefinition<Schema, N>): OutputPlugin {
  const { name, summary, options: ownOptions, module } = definition;
  const open = (context: OutputContext) => definition.open(context as never);
  const plugin = definePlugin({
    name,
    kind: 'output',
    summary,
    options: Type.Object({
      ...ownOptions?.properties,
      ...(module === undefined ? {} : threadOptions),
      ...queueOptions,
      delivery: deliverySchema,
    }),
    needs: { ...definition.needs, pipeline: pipelineToken },
    stopTimeoutMs: maxDrainMs + 5_000,
    async start({ name: instance, options, needs, events, log, collector, signal, onStop }) {
      const { delivery: settings, queue: kind, disk_queue, thread: hasThread, ...own } = options;
      const { encoder } = needs.pipeline;
      let queue: OutputQueue | undefined;
      const context: OutputContext = {
        name: instance,
        options: Object.freeze(own),
        needs,
        events,
        log,
        collector,
        signal,
        queuedBatches: () => queue?.size ?? 0,
      };
      const writer =
        hasThread === true && module !== undefined
          ? await OutputThread.open({ module, context, encoder })
          : await open(context);
      onStop(async () => writer.close?.());
      const place = { name: instance, collector, log, encoder };
      const deadLetters = openDeadLetters(settings, place);
      queue = await openQueue({ queue: kind, disk_queue }, settings, place);
      const delivery = new Delivery(instance, {
        queue,
        write: (batches, context) => writer.write(batches, context),
        settings,
        events,
        log,
        keepRefused: (batches, why) => deadLetters?.keep(batches, why),
      });
      delivery.start();
      onStop(() => delivery.drain());
      onStop(needs.pipeline.addOutput(delivery));
    },
  });
  return Object.freeze({ ...plugin, open });
}
