import type { Batch } from '../../model/batch.ts';

/** Why an output lost batches: the name in metrics, and the text in events. */
export const dropReasons = {
  full: 'the queue is full',
  disk_full: 'the disk accepts no more data',
  too_old: 'they waited too long',
  damaged: 'they were damaged on the disk',
  too_large: 'they were larger than a batch may be',
  refused: 'the output refused them',
  fenced: 'another collector had taken over their devices',
  stopped: 'the collector stopped',
} as const;
export type DropReason = keyof typeof dropReasons;

/**
 * The record with which the plugin `events` reports drops to outputs. A lost batch of this record is counted and not reported: otherwise
 * two outputs that accept nothing would report to each other without end.
 */
const dropNotice = 'waywiser::outputDropped';

export function isDropNotice({ record }: Batch): boolean {
  return record === dropNotice;
}

const everyMs = 1_000;
/** After this many reports in a row, one per minute: the reports of a long outage must not fill the queues of other outputs. */
const quickReports = 10;
const longEveryMs = 60_000;

interface Drops {
  readonly batches: number;
  /** Values that were lost from batches that were otherwise delivered. */
  readonly values: number;
}

/** Counts drops immediately and reports them by reason, at most once per second, and once per minute when they go on. */
export class DropReport {
  readonly #emit: (drops: Drops, why: string) => void;
  readonly #byReason = Object.fromEntries(Object.keys(dropReasons).map((why) => [why, 0])) as Record<
    DropReason,
    number
  >;
  readonly #unreported = new Map<DropReason, Drops>();
  #total = 0;
  #values = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #now: () => number;
  /** Number of reports in a row. */
  #reports = 0;
  #reportedMs = Number.NEGATIVE_INFINITY;

  constructor(emit: (drops: Drops, why: string) => void, now: () => number = () => performance.now()) {
    this.#emit = emit;
    this.#now = now;
  }

  get total(): number {
    return this.#total;
  }

  /** Values that were lost from batches that were otherwise delivered. */
  get values(): number {
    return this.#values;
  }

  get byReason(): Readonly<Record<DropReason, number>> {
    return { ...this.#byReason };
  }

  /** `unreported` of the batches are counted and not reported. */
  count(batches: number, why: DropReason, unreported = 0): void {
    if (batches === 0) return;
    this.#total += batches;
    this.#byReason[why] += batches;
    if (batches > unreported) this.#add(why, batches - unreported, 0);
  }

  countValues(values: number, why: DropReason): void {
    if (values === 0) return;
    this.#values += values;
    this.#add(why, 0, values);
  }

  /** Emits what has not been reported yet. */
  report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reports++;
    this.#reportedMs = this.#now();
    for (const [why, drops] of this.#unreported) this.#emit(drops, dropReasons[why]);
    this.#unreported.clear();
  }

  #add(why: DropReason, batches: number, values: number): void {
    const before = this.#unreported.get(why) ?? { batches: 0, values: 0 };
    this.#unreported.set(why, { batches: before.batches + batches, values: before.values + values });
    this.#timer ??= setTimeout(() => this.report(), this.#pauseMs()).unref();
  }

  #pauseMs(): number {
    if (this.#now() - this.#reportedMs > longEveryMs) this.#reports = 0;
    return this.#reports < quickReports ? everyMs : longEveryMs;
  }
}
