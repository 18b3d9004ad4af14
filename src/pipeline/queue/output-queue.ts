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

/** A queue in memory, which ends with the process: a ring of at most `maxBatches`. */
export class MemoryQueue implements OutputQueue {
  readonly bytes = 0;
  readonly keptIn = undefined;
  hasLast = false;
  readonly #ring: (Batch | undefined)[];
  readonly #drop: DropPolicy;
  #head = 0;
  #waiting = 0;
  #underDelivery: readonly Batch[] = [];

  constructor(maxBatches: number, drop: DropPolicy) {
    this.#ring = new Array(maxBatches);
    this.#drop = drop;
  }

  get size(): number {
    return this.#waiting + this.#underDelivery.length;
  }

  get oldestMs(): number | undefined {
    return (this.#underDelivery[0] ?? this.#ring[this.#head])?.timeMs;
  }

  put(batch: Batch): number {
    const isFull = this.size >= this.#ring.length;
    this.hasLast = !isFull || (this.#drop === 'oldest' && this.#waiting > 0);
    if (!this.hasLast) return 1;
    if (isFull) this.#shift();
    this.#ring[(this.#head + this.#waiting++) % this.#ring.length] = batch;
    return isFull ? 1 : 0;
  }

  async peek(max: number): Promise<readonly Batch[]> {
    if (this.#underDelivery.length === 0) {
      this.#underDelivery = Array.from({ length: Math.min(max, this.#waiting) }, () => this.#shift());
    }
    return this.#underDelivery;
  }

  confirm(): void {
    this.#underDelivery = [];
  }

  async close(): Promise<number> {
    const lost = this.size;
    this.#ring.fill(undefined);
    this.#waiting = 0;
    this.#underDelivery = [];
    return lost;
  }

  #shift(): Batch {
    const batch = this.#ring[this.#head]!;
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.#ring.length;
    this.#waiting--;
    return batch;
  }
}
