import { join } from 'node:path';
import type { Logger } from '../../kernel/logger.ts';
import type { CollectorFacts } from '../../kernel/plugin.ts';
import type { BatchEncoder } from '../../model/batch-form/batch-encoder.ts';
import type { DeliverySettings, QueueSettings } from '../delivery-settings.ts';
import { DeadLetters } from './dead-letters.ts';
import { DiskQueue } from './disk-queue.ts';
import { MemoryQueue, type OutputQueue } from './output-queue.ts';

export interface QueueContext {
  /** The instance name of the output. */
  readonly name: string;
  readonly collector: Pick<CollectorFacts, 'stateDirectory'>;
  readonly log: Logger;
  /** Other queues may share it. */
  readonly encoder: BatchEncoder;
}

/** Opens the queue that the options of an output ask for. Throws when its directory cannot be used. */
export async function openQueue(
  { queue, disk_queue: disk }: QueueSettings,
  delivery: DeliverySettings,
  { name, collector, log, encoder }: QueueContext,
): Promise<OutputQueue> {
  if (queue === 'memory') return new MemoryQueue(delivery.max_queued_batches, delivery.drop);
  const failures = new FailureReport(
    (error) => log.error({ error }, 'The disk queue failed to read or write.'),
    Date.now,
  );
  const opened = await DiskQueue.open(
    {
      directory: queueDirectory(name, disk.directory ?? join(collector.stateDirectory, 'queues')),
      maxBytes: disk.max_bytes,
      maxAgeMs: disk.max_age_s * 1000,
      whenFull: disk.when_full,
      syncEveryMs: disk.fsync_every_ms,
    },
    { onError: (error) => failures.add(error), encoder },
  );
  if (opened.size > 0) log.info({ batches: opened.size }, 'The queue contains batches of an earlier run.');
  return opened;
}

/** The directory in which the output of this name keeps its queue. */
export function queueDirectory(name: string, parent: string): string {
  return join(parent, fileNameOf(name));
}

/** The file for refused batches. Undefined if they are not kept. */
export function openDeadLetters(
  { dead_letter_bytes: maxBytes }: DeliverySettings,
  { name, collector, log }: Omit<QueueContext, 'encoder'>,
): DeadLetters | undefined {
  if (maxBytes === 0) return undefined;
  return new DeadLetters({
    path: join(collector.stateDirectory, 'dead-letters', `${fileNameOf(name)}.ndjson`),
    maxBytes,
    onError: (error) => log.error({ error }, 'Writing refused batches failed.'),
  });
}

/** An instance name has slashes, and may have any other character. */
function fileNameOf(name: string): string {
  return encodeURIComponent(name)
    .replaceAll('*', '%2A')
    .replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length));
}

const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;

/**
 * Limits how often failures of a disk are logged: a repeated failure only after pauses that double from a minute to an hour. A disk that
 * fails at every step would fill the log otherwise.
 */
export class FailureReport {
  readonly #report: (error: unknown) => void;
  readonly #now: () => number;
  /** By system call and error code. */
  readonly #kinds = new Map<string, { nextMs: number; pauseMs: number }>();

  constructor(report: (error: unknown) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  add(error: unknown): void {
    const nowMs = this.#now();
    const kind = kindOf(error);
    const { nextMs, pauseMs } = this.#kinds.get(kind) ?? { nextMs: nowMs, pauseMs: firstPauseMs };
    if (nowMs < nextMs) return;
    // After a whole pause without it, the failure is new.
    const isNew = nowMs >= nextMs + pauseMs;
    const pause = isNew ? firstPauseMs : pauseMs;
    this.#kinds.set(kind, { nextMs: nowMs + pause, pauseMs: Math.min(2 * pause, longestPauseMs) });
    this.#report(error);
  }
}

/** The system call and its error code. There are few kinds, however many files there are. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code = error.name, syscall = '' } = error as NodeJS.ErrnoException;
  return `${syscall} ${code}`;
}
