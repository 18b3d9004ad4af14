import { gapReasons } from '../../../src/index.ts';
import { type ColumnHead, noRow, type Shape } from '../chunk/block.ts';
import type { Aggregate, HistoryGap, HistorySeries } from '../service.ts';
import { type Reading, rateBetween } from './counter-rates.ts';
import { unpolled } from './explain-holes.ts';

export interface SeriesName {
  readonly device: string;
  readonly record: string;
  readonly row: string;
  readonly field: string;
}

/** Two polls that are further apart than so many intervals have a gap between them. */
const holeIntervals = 1.6;

/** The time range of a question, and its spans. */
export interface Grid {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs?: number | undefined;
  readonly aggregate: Aggregate;
}

/** Collects the values of one series, in any order of files, and makes them fit the times of the answer. */
export class SeriesBuilder {
  readonly #name: SeriesName;
  readonly #grid: Grid;
  /** By time, or by start of the span. */
  readonly #cells = new Map<number, Cell>();
  #head: ColumnHead;
  #shape: Shape | undefined;
  #row = 0;
  #intervalMs = 0;
  /** Of a counter: what the next rate compares with. */
  last: Reading | undefined;

  constructor(name: SeriesName, head: ColumnHead, grid: Grid) {
    this.#name = name;
    this.#head = head;
    this.#grid = grid;
  }

  /** What the newest block says. */
  describe(shape: Shape, row: number, head: ColumnHead): void {
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#head = head;
    this.#row = row;
    this.#intervalMs = shape.intervalMs;
  }

  /** A value as polled counts once, and is its own minimum, mean and maximum. */
  add(timeMs: number, count: number, minimum: number, mean: number, maximum: number): void {
    const cell = this.#cellAt(timeMs);
    if (cell === undefined || !Number.isFinite(mean)) return;
    cell.minimum = Math.min(cell.minimum, minimum);
    cell.maximum = Math.max(cell.maximum, maximum);
    cell.sum += mean * count;
    cell.count += count;
  }

  addValue({ timeMs, value }: Reading): void {
    this.add(timeMs, 1, value, value, value);
  }

  /** The rate since the reading before. */
  addRate(now: Reading): void {
    const rate = rateBetween(this.last, now);
    this.last = now;
    if ('gap' in rate) this.addGap(now.timeMs, rate.gap);
    else this.addValue({ ...now, value: rate.value });
  }

  addGap(timeMs: number, code: number): void {
    if (code === noRow) return;
    const cell = this.#cellAt(timeMs);
    if (cell !== undefined) cell.gap = code;
  }

  get size(): number {
    return this.#cells.size;
  }

  /** The times of this series; a hole between two polls gets one of its own. */
  times(): number[] {
    const times = [...this.#cells.keys()].sort((a, b) => a - b);
    if (this.#grid.stepMs !== undefined || this.#intervalMs === 0) return times;
    return times.flatMap((timeMs, i) => {
      const before = times[i - 1];
      const isHole = before !== undefined && timeMs - before > holeIntervals * this.#widthAt(before);
      return isHole ? [before + this.#widthAt(before), timeMs] : [timeMs];
    });
  }

  build(times: readonly number[]): HistorySeries {
    const own = new Set(this.#grid.stepMs === undefined ? this.times() : times);
    const values = times.map((timeMs) => aggregated(this.#cells.get(timeMs), this.#grid.aggregate));
    const { unit, metric, names } = this.#head;
    const gaps = this.#listGaps(times, values, own);
    return { ...this.#name, labels: this.#labels(), unit, metric, names, values, gaps };
  }

  #labels(): Record<string, string> {
    const own: Record<string, string> = {};
    for (const [field, texts] of Object.entries(this.#shape?.labels ?? {})) {
      const text = texts[this.#row];
      if (text !== undefined) own[field] = text;
    }
    return own;
  }

  /** Times at which only other series have values are no gaps. */
  #listGaps(
    times: readonly number[],
    values: readonly (number | null)[],
    own: ReadonlySet<number>,
  ): HistoryGap[] {
    const gaps: { fromMs: number; toMs: number; why: string }[] = [];
    let isOpen = false;
    for (const [i, timeMs] of times.entries()) {
      if (!own.has(timeMs)) continue;
      if (values[i] !== null) {
        isOpen = false;
        continue;
      }
      const code = this.#cells.get(timeMs)?.gap ?? 0;
      const why = code === 0 ? unpolled : gapReasons[code]!;
      const last = gaps.at(-1);
      const toMs = this.#grid.stepMs === undefined ? timeMs : timeMs + this.#grid.stepMs;
      if (isOpen && last?.why === why) last.toMs = toMs;
      else gaps.push({ fromMs: timeMs, toMs, why });
      isOpen = true;
    }
    return gaps;
  }

  #widthAt(timeMs: number): number {
    return this.#cells.get(timeMs)?.widthMs ?? this.#intervalMs;
  }

  #cellAt(timeMs: number): Cell | undefined {
    const { fromMs, toMs, stepMs } = this.#grid;
    if (timeMs < fromMs || timeMs > toMs) return undefined;
    const key = stepMs === undefined ? timeMs : Math.floor(timeMs / stepMs) * stepMs;
    let cell = this.#cells.get(key);
    if (cell === undefined) {
      cell = {
        count: 0,
        minimum: Number.POSITIVE_INFINITY,
        maximum: Number.NEGATIVE_INFINITY,
        sum: 0,
        gap: 0,
        widthMs: Math.max(this.spanMs, this.#intervalMs),
      };
      this.#cells.set(key, cell);
    }
    return cell;
  }

  /** The span of the tier whose values are added; 0 for values as polled. */
  spanMs = 0;
}

interface Cell {
  count: number;
  minimum: number;
  maximum: number;
  sum: number;
  gap: number;
  readonly widthMs: number;
}

function aggregated(cell: Cell | undefined, aggregate: Aggregate): number | null {
  if (cell === undefined || cell.count === 0) return aggregate === 'count' ? 0 : null;
  if (aggregate === 'min') return cell.minimum;
  if (aggregate === 'max') return cell.maximum;
  return aggregate === 'count' ? cell.count : cell.sum / cell.count;
}
