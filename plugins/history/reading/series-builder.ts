import { gapReasons } from '../../../src/index.ts';
import { type ColumnHead, noRow, type Shape } from '../chunk/block.ts';
import { type Reading, rateBetween } from '../chunk/counter-rates.ts';
import type { Aggregate, HistorySeries } from '../service.ts';
import { unpolled } from './explain-holes.ts';
import { SeriesCells } from './series-cells.ts';

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
  readonly #onCell: () => void;
  readonly #cells = new SeriesCells();
  #head: ColumnHead;
  #shape: Shape | undefined;
  #row = 0;
  #intervalMs = 0;
  /** Of a counter: what the next rate compares with. */
  last: Reading | undefined;
  /** The span of the tier whose values are added; 0 for values as polled. */
  spanMs = 0;

  /** `onCell` is called for each time that gets a value or a gap. */
  constructor(name: SeriesName, head: ColumnHead, grid: Grid, onCell: () => void) {
    this.#name = name;
    this.#head = head;
    this.#grid = grid;
    this.#onCell = onCell;
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
    if (!Number.isFinite(mean)) return;
    const cell = this.#cellAt(timeMs);
    if (cell >= 0) this.#cells.add(cell, count, minimum, mean, maximum);
  }

  addValue({ timeMs, value }: Reading): void {
    this.add(timeMs, 1, value, value, value);
  }

  /** The rate since the reading before. */
  addRate(now: Reading): void {
    const rate = rateBetween(this.last, now, this.#head.wrapsAt);
    this.last = now;
    if ('gap' in rate) this.addGap(now.timeMs, rate.gap);
    else this.addValue({ ...now, value: rate.value });
  }

  addGap(timeMs: number, code: number): void {
    if (code === noRow) return;
    const cell = this.#cellAt(timeMs);
    if (cell >= 0) this.#cells.setGap(cell, code);
  }

  get device(): string {
    return this.#name.device;
  }

  get isEmpty(): boolean {
    return this.#cells.times.length === 0;
  }

  /** The times of this series, ascending; a hole between two polls gets one of its own. */
  times(): readonly number[] {
    const { times } = this.#cells;
    if (this.#grid.stepMs !== undefined || this.#intervalMs === 0) return times;
    const listed: number[] = [];
    for (const [at, timeMs] of times.entries()) {
      const widthMs = at === 0 ? 0 : this.#cells.widthAt(at - 1);
      const beforeMs = times[at - 1];
      if (beforeMs !== undefined && timeMs - beforeMs > holeIntervals * widthMs)
        listed.push(beforeMs + widthMs);
      listed.push(timeMs);
    }
    return listed;
  }

  /** `own` are those of the ascending `times` at which this series has a value or a gap. */
  build(times: readonly number[], own: readonly number[]): HistorySeries {
    const values: (number | null)[] = [];
    const gaps: { fromMs: number; toMs: number; why: string }[] = [];
    let isOpen = false;
    let [cell, next] = [0, 0];
    for (const timeMs of times) {
      while (this.#cells.times[cell]! < timeMs) cell++;
      const at = this.#cells.times[cell] === timeMs ? cell : -1;
      const value = this.#cells.valueAt(at, this.#grid.aggregate);
      values.push(value);
      // Times at which only other series have values are no gaps.
      if (own[next] !== timeMs) continue;
      next++;
      if (value !== null) {
        isOpen = false;
        continue;
      }
      const code = at < 0 ? 0 : this.#cells.gapAt(at);
      const why = code === 0 ? unpolled : gapReasons[code]!;
      const toMs = timeMs + (this.#grid.stepMs ?? 0);
      const last = gaps.at(-1);
      if (isOpen && last?.why === why) last.toMs = toMs;
      else gaps.push({ fromMs: timeMs, toMs, why });
      isOpen = true;
    }
    const { unit, metric, names } = this.#head;
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

  /** The place of the cell that this time belongs to; -1 when the question is not about this time. */
  #cellAt(timeMs: number): number {
    const { fromMs, toMs, stepMs } = this.#grid;
    if (timeMs < fromMs || timeMs > toMs) return -1;
    const key = stepMs === undefined ? timeMs : Math.floor(timeMs / stepMs) * stepMs;
    const found = this.#cells.find(key);
    if (found >= 0) return found;
    this.#onCell();
    return this.#cells.insert(key, Math.max(this.spanMs, this.#intervalMs));
  }
}
