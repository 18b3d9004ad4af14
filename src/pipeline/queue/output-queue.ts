import type { Batch } from '../../model/batch.ts';
import type { DropReason } from './drop-report.ts';

export type OnDropped = (batches: number, why: DropReason, notices: number) => void;

/**
 * Where an output's batches wait, in order. One reader peeks, delivers and confirms; what was peeked stays in the
 * queue until it is confirmed, so that a failed delivery loses nothing.
 */
export interface OutputQueue {
  /** Batches that wait, those under delivery included. */
  readonly size: number;
  /** What the queue takes on the disk; 0 in memory. */
  readonly bytes: number;
  /** Since when the oldest batch waits, in milliseconds since 1970, no later than it is; undefined when none waits. */
  readonly oldestMs: number | undefined;
  /** The directory where the next process finds what waits; undefined where it ends with this one. */
  readonly keptIn: string | undefined;
  /** Whether sources should wait: a queue that would rather have nothing to drop. */
  readonly isPausing?: boolean;
  /**
   * Called once, before all others: `onDropped` hears of every batch that is lost and not answered for by `put`, and how many of
   * them are known for notices of drops.
   */
  watchDrops?(onDropped: OnDropped): void;
  /** Takes a batch and answers how many were dropped because the queue is full: older ones, or the batch itself. Never throws. */
  put(batch: Batch): number;
  /** The oldest batches, at most `max`. The same ones again until they are confirmed. None when all that waited is lost. */
  peek(max: number): Promise<readonly Batch[]>;
  /** Forgets the batches of the last `peek`. */
  confirm(): void;
  /** Called once, last. Answers how many batches are lost with it: all that wait in memory, none that are on disk. */
  close(): Promise<number>;
}

export type DropPolicy = 'oldest' | 'newest';

/** A queue that ends with the process: a ring of at most `maxBatches`. */
export class MemoryQueue implements OutputQueue {
  readonly bytes = 0;
  readonly keptIn = undefined;
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
    if (isFull && (this.#drop === 'newest' || this.#waiting === 0)) return 1;
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
