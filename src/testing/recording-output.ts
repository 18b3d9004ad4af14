import { definePlugin, type Plugin } from '../kernel/plugin.ts';
import type { Batch } from '../model/batch.ts';
import { Delivery } from '../pipeline/delivery.ts';
import { type DeliverySettings, deliverySchema } from '../pipeline/delivery-settings.ts';
import { pipelineToken } from '../pipeline/pipeline.ts';
import { MemoryQueue } from '../pipeline/queue/output-queue.ts';
import { Value } from '../typebox.ts';

export interface RecordingOutput {
  /** Pass it to `startTestCollector`. */
  readonly plugin: Plugin;
  /** Every batch that has arrived, in order; grows while the collector runs. */
  readonly batches: readonly Batch[];
  /** Resolves to the batches as soon as `predicate` accepts them; rejects after 5,000 ms by default. */
  waitFor(
    predicate: (batches: readonly Batch[]) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<readonly Batch[]>;
}

/** An output that keeps every batch as soon as it arrives, behind a real queue. */
export function createRecordingOutput(name = 'recording'): RecordingOutput {
  const batches: Batch[] = [];
  const watchers = new Set<() => void>();

  const plugin = definePlugin({
    name,
    kind: 'output',
    summary: 'Keeps every batch for a test.',
    needs: { pipeline: pipelineToken },
    start({ name: output, needs, events, log, onStop }) {
      const settings = Value.Default(deliverySchema, { group_wait_ms: 0 }) as DeliverySettings;
      const write = (group: readonly Batch[]) => {
        batches.push(...group);
        for (const watch of watchers) watch();
      };
      const queue = new MemoryQueue(settings.max_queued_batches, settings.drop);
      const delivery = new Delivery(output, { queue, write, settings, events, log, wantsRates: true });
      delivery.start();
      onStop(() => delivery.drain());
      onStop(needs.pipeline.addOutput(delivery));
    },
  });

  return {
    plugin,
    batches,
    waitFor(predicate, { timeoutMs = 5_000 } = {}) {
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          clearTimeout(timer);
          watchers.delete(watch);
          settle();
        };
        const watch = () => {
          if (predicate(batches)) end(() => resolve(batches));
        };
        const timer = setTimeout(() => {
          const records = batches.map(({ record }) => record).join(', ') || 'nothing';
          end(() =>
            reject(
              new Error(`The expected batches did not arrive within ${timeoutMs} ms; arrived: ${records}.`),
            ),
          );
        }, timeoutMs);
        watchers.add(watch);
        watch();
      });
    },
  };
}
