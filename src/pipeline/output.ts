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
import { deliverySchema, maxDrainMs, queueOptions } from './delivery-settings.ts';
import { pipelineToken } from './pipeline.ts';
import { openDeadLetters, openQueue } from './queue/open-queue.ts';

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
  /** Called once at start. What cannot work (a port in use, a wrong file) must throw here. */
  open(context: {
    readonly name: string;
    readonly options: Static<Schema>;
    readonly needs: NeededServices<N>;
    /** Listeners added here are removed when the output stops. */
    readonly events: EventBus;
    readonly log: Logger;
    readonly collector: CollectorFacts;
    readonly signal: AbortSignal;
  }): OutputWriter | Promise<OutputWriter>;
}

/**
 * Makes an output plugin with everything that outputs have in common: a bounded queue in memory or on the disk, groups,
 * retries with back-off, drop counts, a place for what is refused, and a drain at stop.
 */
export function defineOutput<
  Schema extends TObject = TObject<Record<never, never>>,
  const N extends Needs = Record<never, never>,
>(definition: OutputDefinition<Schema, N>): Plugin {
  const { name, summary, options: ownOptions } = definition;
  return definePlugin({
    name,
    kind: 'output',
    summary,
    options: Type.Object({ ...ownOptions?.properties, ...queueOptions, delivery: deliverySchema }),
    needs: { ...definition.needs, pipeline: pipelineToken },
    stopTimeoutMs: maxDrainMs + 5_000,
    async start({ name: instance, options, needs, events, log, collector, signal, onStop }) {
      const { delivery: settings, queue: kind, disk_queue, ...own } = options;
      const writer = await definition.open({
        name: instance,
        options: Object.freeze(own) as Static<Schema>,
        needs: needs as NeededServices<N>,
        events,
        log,
        collector,
        signal,
      });
      onStop(async () => writer.close?.());
      const context = { name: instance, collector, log, encoder: needs.pipeline.encoder };
      const deadLetters = openDeadLetters(settings, context);
      const queue = await openQueue({ queue: kind, disk_queue }, settings, context);
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
}
