import type { Batch } from '../../model/batch.ts';

/** Why an output lost batches: the name that metrics carry, and how events say it. */
export const dropReasons = {
  full: 'the queue is full',
  disk_full: 'the disk takes no more',
  too_old: 'they waited too long',
  damaged: 'they were damaged on the disk',
  too_large: 'they were larger than a batch may be',
  refused: 'the output refused them',
  stopped: 'the collector stopped',
} as const;
export type DropReason = keyof typeof dropReasons;

/**
 * The record by which a source tells outputs of drops. One that is lost itself is counted and not reported: two outputs that take
 * none would tell each other for ever.
 */
const dropNotice = 'waywiser::outputDropped';

export function isDropNotice({ record }: Batch): boolean {
  return record === dropNotice;
}

const everyMs = 1_000;
/** After so many in a row it is once a minute: the notices of an outage of hours must not fill the queues of others. */
const quickReports = 10;
const longEveryMs = 60_000;

interface Drops {
  readonly batches: number;
  /** Of batches that were not lost otherwise. */
  readonly values: number;
}

/** Counts drops at once and reports them by reason, at most once a second, and once a minute when they go on. */
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
  /** In a row. */
  #reports = 0;
  #reportedMs = Number.NEGATIVE_INFINITY;

  constructor(emit: (drops: Drops, why: string) => void, now: () => number = () => performance.now()) {
    this.#emit = emit;
    this.#now = now;
  }

  get total(): number {
    return this.#total;
  }

  /** Values that were lost of batches that were not. */
  get values(): number {
    return this.#values;
  }

  get byReason(): Readonly<Record<DropReason, number>> {
    return { ...this.#byReason };
  }

  /** `untold` of the batches are not for the report. */
  count(batches: number, why: DropReason, untold = 0): void {
    if (batches === 0) return;
    this.#total += batches;
    this.#byReason[why] += batches;
    if (batches > untold) this.#note(why, batches - untold, 0);
  }

  countValues(values: number, why: DropReason): void {
    if (values === 0) return;
    this.#values += values;
    this.#note(why, 0, values);
  }

  /** Emits what was not reported yet. */
  report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reports++;
    this.#reportedMs = this.#now();
    for (const [why, drops] of this.#unreported) this.#emit(drops, dropReasons[why]);
    this.#unreported.clear();
  }

  #note(why: DropReason, batches: number, values: number): void {
    const noted = this.#unreported.get(why) ?? { batches: 0, values: 0 };
    this.#unreported.set(why, { batches: noted.batches + batches, values: noted.values + values });
    this.#timer ??= setTimeout(() => this.report(), this.#pauseMs()).unref();
  }

  #pauseMs(): number {
    if (this.#now() - this.#reportedMs > longEveryMs) this.#reports = 0;
    return this.#reports < quickReports ? everyMs : longEveryMs;
  }
}
