import type { Batch } from '../model/batch.ts';

/**
 * Where an output's batches wait, in order. One reader peeks, delivers and confirms; what was peeked stays in the
 * queue until it is confirmed, so that a failed delivery loses nothing.
 */
export interface OutputQueue {
  /** Batches that wait, those under delivery included. */
  readonly size: number;
  /** Takes a batch and answers how many batches were dropped for it: older ones, or the batch itself. Never throws. */
  put(batch: Batch): number;
  /** The oldest batches, at most `max`. The same ones again until they are confirmed. */
  peek(max: number): Promise<readonly Batch[]>;
  /** Forgets the batches of the last `peek`. */
  confirm(): void;
  /** Called once, last. Answers how many batches are lost with it: all that wait in memory, none that are on disk. */
  close(): Promise<number>;
}

export type DropPolicy = 'oldest' | 'newest';

/** A queue that ends with the process: a ring of at most `maxBatches`. */
export class MemoryQueue implements OutputQueue {
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
