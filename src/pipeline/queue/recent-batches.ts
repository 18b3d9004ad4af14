import type { Batch } from '../../model/batch.ts';

const maxBatches = 1_024;
/** Eight megabytes of numbers. */
const maxCells = 1 << 20;

interface RecentBatch {
  readonly batch: Batch;
  /** When it was queued. */
  readonly timeMs: number;
}

/**
 * The batches that were queued last, so that an output that keeps up need not read them from the disk. When there are too many, it drops
 * them all: an output that far behind reads from the disk.
 */
export class RecentBatches {
  #batches: RecentBatch[] = [];
  #cells = 0;
  /** The number that the next batch gets. */
  #end = 0;

  add(number: number, batch: Batch, timeMs: number): void {
    const cells = cellsOf(batch);
    const isFull = this.#batches.length >= maxBatches || this.#cells + cells > maxCells;
    if (isFull || number !== this.#end) this.#forget();
    this.#batches.push({ batch, timeMs });
    this.#cells += cells;
    this.#end = number + 1;
  }

  /** Takes at most `max` batches from `number` on, and forgets earlier ones. Empty if it does not have that batch. */
  take(number: number, max: number): readonly RecentBatch[] {
    const start = number - (this.#end - this.#batches.length);
    if (start < 0 || number >= this.#end) return [];
    const taken = this.#batches.slice(start, start + max);
    this.#batches = this.#batches.slice(start + taken.length);
    this.#cells = this.#batches.reduce((sum, { batch }) => sum + cellsOf(batch), 0);
    return taken;
  }

  #forget(): void {
    this.#batches = [];
    this.#cells = 0;
  }
}

function cellsOf({ rows, columns }: Batch): number {
  return rows.count * columns.length;
}
