import { EventExchange } from '../../../src/kernel/event-bus.ts';
import type { Batch } from '../../../src/model/batch.ts';
import { Delivery } from '../../../src/pipeline/delivery.ts';
import { type DeliverySettings, deliverySchema } from '../../../src/pipeline/delivery-settings.ts';
import type { Writer } from '../../../src/pipeline/output-writer.ts';
import { type DropPolicy, MemoryQueue, type OutputQueue } from '../../../src/pipeline/queue/output-queue.ts';
import { Value } from '../../../src/typebox.ts';
import { recordLog } from '../../kernel/support/log-lines.ts';

/** A started delivery with short pauses, and its log lines and events. */
export function openDelivery(
  write: Writer,
  changed: Partial<DeliverySettings> = {},
  makeQueue = (max: number, drop: DropPolicy): OutputQueue => new MemoryQueue(max, drop),
  keepRefused: (batches: readonly Batch[], why: string) => void = () => {},
) {
  const quick = { group_wait_ms: 0, retry_from_ms: 1, retry_to_ms: 4, drain_timeout_ms: 200, ...changed };
  const settings = Value.Default(deliverySchema, quick) as DeliverySettings;
  const { log, lines } = recordLog();
  const { bus: events } = new EventExchange(log).open('test');
  const happened: (readonly [string, unknown])[] = [];
  for (const name of ['output.stalled', 'output.recovered', 'output.dropped'] as const) {
    events.on(name, (payload) => void happened.push([name, payload]));
  }
  const queue = makeQueue(settings.max_queued_batches, settings.drop);
  const delivery = new Delivery('out', { queue, write, settings, events, log, keepRefused });
  delivery.start();
  return { delivery, happened, lines };
}
