import { join } from 'node:path';
import type { Logger } from '../../kernel/logger.ts';
import type { CollectorFacts } from '../../kernel/plugin.ts';
import type { BatchEncoder } from '../../model/batch-form/batch-encoder.ts';
import type { DeliverySettings, QueueSettings } from '../delivery-settings.ts';
import { DeadLetters } from './dead-letters.ts';
import { DiskQueue } from './disk-queue.ts';
import { FailureReport } from './failure-report.ts';
import { MemoryQueue, type OutputQueue } from './output-queue.ts';

export interface QueueContext {
  /** The output's instance name. */
  readonly name: string;
  readonly collector: Pick<CollectorFacts, 'stateDirectory'>;
  readonly log: Logger;
  /** May be shared with other queues. */
  readonly encoder: BatchEncoder;
}

/** The queue that the options of an output ask for. Throws when its directory cannot be used. */
export async function openQueue(
  { queue, disk_queue: disk }: QueueSettings,
  delivery: DeliverySettings,
  { name, collector, log, encoder }: QueueContext,
): Promise<OutputQueue> {
  if (queue === 'memory') return new MemoryQueue(delivery.max_queued_batches, delivery.drop);
  const failures = new FailureReport(
    (error) => log.error({ error }, 'The queue has trouble with its disk.'),
    Date.now,
  );
  const opened = await DiskQueue.open(
    {
      directory: join(disk.directory ?? join(collector.stateDirectory, 'queues'), fileNameOf(name)),
      maxBytes: disk.max_bytes,
      maxAgeMs: disk.max_age_s * 1000,
      whenFull: disk.when_full,
      syncEveryMs: disk.fsync_every_ms,
    },
    { onError: (error) => failures.add(error), encoder },
  );
  if (opened.size > 0) log.info({ batches: opened.size }, 'Batches of an earlier run wait in the queue.');
  return opened;
}

/** Where refused batches are kept; undefined when they are not. */
export function openDeadLetters(
  { dead_letter_bytes: maxBytes }: DeliverySettings,
  { name, collector, log }: Omit<QueueContext, 'encoder'>,
): DeadLetters | undefined {
  if (maxBytes === 0) return undefined;
  return new DeadLetters({
    path: join(collector.stateDirectory, 'dead-letters', `${fileNameOf(name)}.ndjson`),
    maxBytes,
    onError: (error) => log.error({ error }, 'Refused batches could not be kept.'),
  });
}

/** Instance names hold slashes, and may hold anything. */
function fileNameOf(name: string): string {
  return encodeURIComponent(name)
    .replaceAll('*', '%2A')
    .replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length));
}
