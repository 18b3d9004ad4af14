import { setTimeout as sleep } from 'node:timers/promises';
import { explainError } from '../kernel/errors.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Batch } from '../model/batch.ts';
import { untilAborted } from '../timing/until-aborted.ts';
import { BackOff } from './back-off.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import type { Writer } from './output-writer.ts';
import { findRefused, type Refused } from './permanent-error.ts';
import { type DropReason, DropReport, isDropNotice } from './queue/drop-report.ts';
import type { OutputQueue } from './queue/output-queue.ts';

export interface DeliveryCounters {
  readonly accepted: number;
  /** Batches that an earlier process left in the queue. */
  readonly restored: number;
  readonly delivered: number;
  readonly dropped: number;
  readonly droppedBy: Readonly<Record<DropReason, number>>;
  /** Values that the receiver left out of batches that it accepted. */
  readonly refusedValues: number;
  readonly queued: number;
  /** Size of the queue on the disk. 0 for a queue in memory. */
  readonly queuedBytes: number;
  /** When the oldest waiting batch was queued, in milliseconds since 1970. */
  readonly oldestMs: number | undefined;
  readonly retries: number;
}

/**
 * The path of the batches of one output: queue, groups, retries, counters of drops, drain. At any time, accepted + restored = delivered +
 * dropped + queued.
 */
export class Delivery {
  readonly output: string;
  /** Whether sources should add the increase per second of each counter. */
  readonly wantsRates: boolean;
  /** Whether it takes batches of the kind `event`. */
  readonly takesEvents: boolean;
  readonly #queue: OutputQueue;
  readonly #write: Writer;
  readonly #settings: DeliverySettings;
  readonly #events: EventBus;
  readonly #log: Logger;
  readonly #drain = new AbortController();
  readonly #end = new AbortController();
  readonly #groupBatches: number;
  readonly #backOff: BackOff;
  readonly #drops: DropReport;
  #wake: (() => void) | undefined;
  readonly #restored: number;
  readonly #keepRefused: ((batches: readonly Batch[], why: string) => void) | undefined;
  #accepted = 0;
  #delivered = 0;
  #closed = false;
  #retries = 0;
  #failingSinceMs: number | undefined;
  /** The error of the last attempt, if it failed. */
  #failure: unknown;
  #stalled = false;
  #loop: Promise<void> | undefined;

  constructor(
    output: string,
    parts: {
      readonly queue: OutputQueue;
      readonly write: Writer;
      readonly settings: DeliverySettings;
      readonly wantsRates?: boolean;
      readonly takesEvents?: boolean;
      readonly events: EventBus;
      readonly log: Logger;
      /** Called with the batches that were refused for good, before they are dropped. Must not throw. */
      readonly keepRefused?: (batches: readonly Batch[], why: string) => void;
    },
  ) {
    this.output = output;
    this.wantsRates = parts.wantsRates ?? false;
    this.takesEvents = parts.takesEvents ?? true;
    this.#queue = parts.queue;
    this.#write = parts.write;
    this.#settings = parts.settings;
    this.#groupBatches = Math.min(parts.settings.group_batches, parts.settings.max_queued_batches);
    this.#events = parts.events;
    this.#log = parts.log;
    this.#drops = new DropReport((drops, why) =>
      parts.events.emit('output.dropped', { output, ...drops, why }),
    );
    this.#backOff = new BackOff(parts.settings.retry_from_ms, parts.settings.retry_to_ms);
    this.#keepRefused = parts.keepRefused;
    this.#restored = parts.queue.size;
    parts.queue.watchDrops?.((batches, why, notices) => this.#drops.count(batches, why, notices));
  }

  get counters(): DeliveryCounters {
    return {
      accepted: this.#accepted,
      restored: this.#restored,
      delivered: this.#delivered,
      dropped: this.#drops.total,
      droppedBy: this.#drops.byReason,
      refusedValues: this.#drops.values,
      queued: this.#queue.size,
      queuedBytes: this.#queue.bytes,
      oldestMs: this.#queue.oldestMs,
      retries: this.#retries,
    };
  }

  /** Whether the queue asks sources to wait. */
  get isPausing(): boolean {
    return this.#queue.isPausing ?? false;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Queues a batch. Never waits, never throws. Returns whether the queue has it. */
  put(batch: Batch): boolean {
    this.#accepted++;
    const dropped = this.#closed ? 1 : this.#queue.put(batch);
    // If the batch is itself a notice of drops, no further notice reports its loss.
    this.#drops.count(dropped, this.#closed ? 'stopped' : 'full', isDropNotice(batch) ? 1 : 0);
    if (this.#queue.size >= this.#groupBatches || this.#queue.size === 1) this.#wake?.();
    return !this.#closed && this.#queue.hasLast;
  }

  /** Resolves to whether the queue has all batches on the disk, if it keeps them there. */
  async sync(): Promise<boolean> {
    return (await this.#queue.sync?.()) ?? true;
  }

  /**
   * Writes what is queued until the drain deadline, and ends. A pause after a failure ends immediately, so that an output that has
   * recovered meanwhile receives its batches. The rest counts as dropped, unless the queue keeps it: then the drain ends at the first
   * failure.
   */
  async drain(): Promise<void> {
    // Without time to drain, no attempt may begin: a timer of 0 ms would come after it.
    if (this.#settings.drain_timeout_ms === 0) this.#end.abort();
    this.#drain.abort();
    this.#backOff.reset();
    this.#wake?.();
    const deadline = setTimeout(() => this.#end.abort(), this.#settings.drain_timeout_ms);
    await this.#loop;
    clearTimeout(deadline);
    this.#closed = true;
    if (this.#queue.size > 0) this.#logUndelivered();
    this.#drops.count(await this.#queue.close(), 'stopped');
    this.#drops.report();
  }

  #logUndelivered(): void {
    const { size: batches, keptIn } = this.#queue;
    const facts = { batches, ...(this.#failure === undefined ? {} : { error: this.#failure }) };
    if (keptIn !== undefined) {
      this.#log.info(facts, `${batches} batches of ${this.output} stay in ${keptIn} until the next start.`);
      return;
    }
    const withinMs = this.#settings.drain_timeout_ms;
    this.#log.warn(
      facts,
      `${this.output} lost ${batches} batches: they waited in memory at the stop and were not delivered within ${withinMs} ms. With \`queue: disk\` they would be kept.`,
    );
  }

  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      if (this.#queue.size === 0) {
        if (this.#drain.signal.aborted) return;
        await this.#sleepUntilWoken(undefined);
      } else {
        await this.#waitForGroup();
        await this.#deliver();
      }
    }
  }

  async #waitForGroup(): Promise<void> {
    const waitMs = this.#settings.group_wait_ms;
    if (this.#drain.signal.aborted || waitMs === 0 || this.#queue.size >= this.#groupBatches) return;
    await this.#sleepUntilWoken(waitMs);
  }

  async #deliver(): Promise<void> {
    while (!this.#end.signal.aborted) {
      let batches: readonly Batch[] = [];
      try {
        batches = await this.#queue.peek(this.#groupBatches);
        if (this.#end.signal.aborted) return;
        if (batches.length === 0) return this.#queue.confirm();
        await this.#attempt(batches);
        return this.#succeed(batches.length);
      } catch (error) {
        const refused = findRefused(error, batches);
        if (refused !== undefined) return this.#refuse(refused, batches.length, error);
        if (this.#end.signal.aborted) return;
        this.#failure = error;
        if (this.#drain.signal.aborted && this.#queue.keptIn !== undefined) return this.#end.abort();
        await this.#pauseAfter(error);
      }
    }
  }

  #refuse({ batches, values, fenced }: Refused, groupSize: number, error: unknown): void {
    if (batches.length + values > 0) {
      const facts = { error, batches: batches.length, ...(values === 0 ? {} : { values }) };
      const what =
        batches.length > 0 ? 'refused batches for good' : 'accepted batches without some of their values';
      this.#log.warn(facts, `The output ${what}.`);
    }
    if (batches.length > 0) this.#keepRefused?.(batches, explainError(error));
    this.#drops.count(batches.length, 'refused', batches.filter(isDropNotice).length);
    this.#drops.count(fenced.length, 'fenced');
    this.#drops.countValues(values, 'refused');
    this.#succeed(groupSize - batches.length - fenced.length);
  }

  /** Ends with the signal even if the writer ignores it, so that it cannot block the queue. */
  async #attempt(batches: readonly Batch[]): Promise<void> {
    const timeoutMs = this.#settings.attempt_timeout_ms;
    const attempt = new AbortController();
    const abandon = (why: string) => attempt.abort(new Error(why));
    const timer = setTimeout(() => abandon(`no answer within ${timeoutMs} ms`), timeoutMs);
    const end = () => abandon('the collector stops');
    this.#end.signal.addEventListener('abort', end, { once: true });
    const write = async () => this.#write(batches, { signal: attempt.signal });
    try {
      await untilAborted(attempt.signal, write());
    } finally {
      clearTimeout(timer);
      this.#end.signal.removeEventListener('abort', end);
    }
  }

  #succeed(delivered: number): void {
    this.#delivered += delivered;
    this.#queue.confirm();
    this.#backOff.reset();
    this.#failingSinceMs = undefined;
    this.#failure = undefined;
    if (!this.#stalled) return;
    this.#stalled = false;
    this.#log.info('The output accepts batches again.');
    this.#events.emit('output.recovered', { output: this.output, queuedBatches: this.#queue.size });
  }

  async #pauseAfter(error: unknown): Promise<void> {
    this.#retries++;
    const nowMs = performance.now();
    this.#failingSinceMs ??= nowMs;
    if (!this.#stalled && nowMs - this.#failingSinceMs >= this.#settings.stall_after_ms) {
      this.#stalled = true;
      this.#log.warn({ error }, 'The output accepts no batches. They wait in its queue.');
      const why = explainError(error);
      this.#events.emit('output.stalled', { output: this.output, queuedBatches: this.#queue.size, why });
    }
    const { signal } = this.#drain.signal.aborted ? this.#end : this.#drain;
    await sleep(this.#backOff.next(), undefined, { signal }).catch(() => {});
  }

  #sleepUntilWoken(maxMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = maxMs === undefined ? undefined : setTimeout(() => this.#wake?.(), maxMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
