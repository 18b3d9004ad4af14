import type { Batch } from '../../model/batch.ts';
import type { DropReason } from './drop-report.ts';

export type OnDropped = (batches: number, why: DropReason, notices: number) => void;

/**
 * Where the batches of an output wait, in order. One reader peeks, delivers and confirms. Peeked batches stay in the queue until they are
 * confirmed, so that a failed delivery loses nothing.
 */
export interface OutputQueue {
  /** Number of waiting batches, including those being delivered. */
  readonly size: number;
  /** Size on the disk. 0 for a queue in memory. */
  readonly bytes: number;
  /** When the oldest batch was queued, or earlier, in milliseconds since 1970. Undefined for an empty queue. */
  readonly oldestMs: number | undefined;
  /** The directory where the next process finds the batches. Undefined if they end with this process. */
  readonly keptIn: string | undefined;
  /** Whether the queue asks sources to wait, so that it need not drop batches. */
  readonly isPausing?: boolean;
  /**
   * Called once, before all other methods. `onDropped` is called for every lost batch that `put` does not return, with the number of those
   * that are notices of drops.
   */
  watchDrops?(onDropped: OnDropped): void;
  /** Queues a batch. Returns how many batches were dropped because the queue is full: older ones, or the batch itself. Never throws. */
  put(batch: Batch): number;
  /** Whether the batch of the last `put` is in the queue. */
  readonly hasLast: boolean;
  /** Resolves to whether all batches that were put are on the disk. A queue in memory has none to sync. */
  sync?(): Promise<boolean>;
  /** Returns the oldest batches, at most `max`, and the same ones again until they are confirmed. Empty when all waiting batches are lost. */
  peek(max: number): Promise<readonly Batch[]>;
  /** Removes the batches of the last `peek`. */
  confirm(): void;
  /** Called once, last. Returns how many batches are lost: all that wait in memory, none that are on the disk. */
  close(): Promise<number>;
}

export type DropPolicy = 'oldest' | 'newest';

/** A small batch of events, such as a notification, takes one part of the room for a batch and row. */
const partsOfBatch = 10;

/**
 * A queue in memory, which ends with the process: a ring with room for `maxBatches`. A flood of notifications, of which each is a batch
 * of one row, finds room for ten times as many.
 */
export class MemoryQueue implements OutputQueue {
  readonly bytes = 0;
  readonly keptIn = undefined;
  hasLast = false;
  readonly #room: number;
  readonly #drop: DropPolicy;
  #ring: (Batch | undefined)[];
  #head = 0;
  #waiting = 0;
  /** Parts of the room that are taken: by all batches, and by those being delivered. */
  #parts = 0;
  #partsUnderDelivery = 0;
  #underDelivery: readonly Batch[] = [];

  constructor(maxBatches: number, drop: DropPolicy) {
    this.#ring = new Array(maxBatches);
    this.#room = maxBatches * partsOfBatch;
    this.#drop = drop;
  }

  get size(): number {
    return this.#waiting + this.#underDelivery.length;
  }

  get oldestMs(): number | undefined {
    return (this.#underDelivery[0] ?? this.#ring[this.#head])?.timeMs;
  }

  put(batch: Batch): number {
    const parts = partsOf(batch);
    const stays = this.#drop === 'oldest' ? this.#partsUnderDelivery : this.#parts;
    this.hasLast = stays + parts <= this.#room;
    if (!this.hasLast) return 1;
    let dropped = 0;
    for (; this.#parts + parts > this.#room; dropped++) this.#parts -= partsOf(this.#shift());
    if (this.#waiting === this.#ring.length) this.#grow();
    this.#ring[(this.#head + this.#waiting++) % this.#ring.length] = batch;
    this.#parts += parts;
    return dropped;
  }

  async peek(max: number): Promise<readonly Batch[]> {
    if (this.#underDelivery.length === 0) {
      this.#underDelivery = Array.from({ length: Math.min(max, this.#waiting) }, () => this.#shift());
      this.#partsUnderDelivery = this.#underDelivery.reduce((sum, batch) => sum + partsOf(batch), 0);
    }
    return this.#underDelivery;
  }

  confirm(): void {
    this.#parts -= this.#partsUnderDelivery;
    this.#partsUnderDelivery = 0;
    this.#underDelivery = [];
  }

  async close(): Promise<number> {
    const lost = this.size;
    this.#ring = [];
    this.#waiting = 0;
    this.confirm();
    return lost;
  }

  #shift(): Batch {
    const batch = this.#ring[this.#head]!;
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.#ring.length;
    this.#waiting--;
    return batch;
  }

  #grow(): void {
    const waiting = [...this.#ring.slice(this.#head), ...this.#ring.slice(0, this.#head)];
    this.#ring = [...waiting, ...new Array<undefined>(waiting.length)];
    this.#head = 0;
  }
}

function partsOf({ kind, rows }: Batch): number {
  return kind === 'event' ? Math.min(rows.count, partsOfBatch) : partsOfBatch;
}
