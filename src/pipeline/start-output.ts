import { defineErrors } from '../kernel/errors.ts';
import type { PluginContext } from '../kernel/plugin.ts';
import { Delivery } from './delivery.ts';
import type { DeliverySettings, QueueSettings } from './delivery-settings.ts';
import { pipelineErrors } from './errors.ts';
import type { OutputContext, OutputPlugin } from './output-writer.ts';
import type { Pipeline } from './pipeline.ts';
import { openDeadLetters, openQueue } from './queue/open-queue.ts';
import type { OutputQueue } from './queue/output-queue.ts';
import { OutputThread } from './thread/output-thread.ts';

const failure = defineErrors(pipelineErrors);

/** What a definition says about its output. */
export interface StartedOutput extends Pick<OutputPlugin, 'open' | 'takesEvents'> {
  /** The URL of its module, for an output that can run in a thread. */
  readonly module: string | undefined;
  readonly rates: boolean;
}

/** The options that every output has. The others are its own. */
interface OutputOptions extends QueueSettings {
  readonly delivery: DeliverySettings;
  readonly thread?: boolean;
}

/** Opens an output, and puts its queue between the pipeline and its writer. Resolves with its service. */
export async function startOutput(
  { module, open, takesEvents, rates }: StartedOutput,
  context: PluginContext<OutputOptions, { readonly pipeline: Pipeline }>,
): Promise<unknown> {
  const { name, needs, events, log, collector, signal, onStop } = context;
  const { delivery: settings, queue: kind, disk_queue, thread, ...own } = context.options;
  const { encoder } = needs.pipeline;
  let queue: OutputQueue | undefined;
  const outputContext: OutputContext = {
    name,
    options: Object.freeze(own),
    needs,
    events,
    log,
    collector,
    signal,
    queuedBatches: () => queue?.size ?? 0,
  };
  const writer =
    thread === true && module !== undefined
      ? await OutputThread.open({ module, context: outputContext, encoder })
      : await open(outputContext);
  if (typeof writer?.write !== 'function') throw failure('OUTPUT_WITHOUT_WRITE', { output: name });
  onStop(async () => writer.close?.());
  const place = { name, collector, log, encoder };
  const deadLetters = openDeadLetters(settings, place);
  queue = await openQueue({ queue: kind, disk_queue }, settings, place);
  const delivery = new Delivery(name, {
    queue,
    write: (batches, write) => writer.write(batches, write),
    settings,
    wantsRates: rates,
    takesEvents: takesEvents(own),
    events,
    log,
    keepRefused: (batches, why) => deadLetters?.keep(batches, why),
  });
  delivery.start();
  onStop(() => delivery.drain());
  onStop(needs.pipeline.addOutput(delivery));
  return 'service' in writer ? writer.service : undefined;
}
