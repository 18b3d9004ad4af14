import { type BlockHead, type ColumnValues, noRow, type Shape, stream, streamCount } from '../chunk/block.ts';
import type { FilledBlock } from './join-samples.ts';
import { joinShapes } from './join-shapes.ts';

type FourStreams = readonly [Float64Array, Float64Array, Float64Array, Float64Array];

/** Count, minimum, mean and maximum of one column, for each row and span of time. Until `finish`, sums stand in the place of means. */
class SpanColumn {
  readonly #streams: readonly Float64Array[];
  readonly #gaps: Uint8Array;

  constructor(cells: number) {
    this.#streams = Array.from({ length: streamCount }, () => new Float64Array(cells));
    this.#gaps = new Uint8Array(cells).fill(noRow);
  }

  add(cell: number, value: number): void {
    if (Number.isFinite(value)) this.addMany(cell, 1, value, value, value);
  }

  addMany(cell: number, count: number, minimum: number, mean: number, maximum: number): void {
    const [counts, minima, sums, maxima] = this.#streams as FourStreams;
    const before = counts[cell]!;
    counts[cell] = before + count;
    if (before === 0 || minimum < minima[cell]!) minima[cell] = minimum;
    if (before === 0 || maximum > maxima[cell]!) maxima[cell] = maximum;
    sums[cell] = sums[cell]! + mean * count;
    this.#gaps[cell] = 0;
  }

  /** A gap is kept while its span has no value. */
  addGap(cell: number, code: number): void {
    if (this.#streams[stream.count]![cell] === 0 && code !== noRow) this.#gaps[cell] = code;
  }

  finish(length: number): ColumnValues {
    const [counts, , sums] = this.#streams as FourStreams;
    for (let cell = 0; cell < sums.length; cell++)
      if (counts[cell]! > 0) sums[cell] = sums[cell]! / counts[cell]!;
    for (const values of this.#streams.slice(1)) shorten(values);
    let hasGaps = false;
    for (let start = 0; start < this.#gaps.length; start += length) {
      for (let cell = start; cell < start + length; cell++) {
        if (this.#gaps[cell] === 0) continue;
        hasGaps = true;
        if (cell > start) for (const values of this.#streams.slice(1)) values[cell] = values[cell - 1]!;
      }
    }
    return { streams: this.#streams, gaps: hasGaps ? this.#gaps : undefined };
  }
}

/** Rounds numbers with a fraction: to thousandths, to integers from 1,000 on, and below 1 to seven significant digits. */
function shorten(values: Float64Array): void {
  for (let cell = 0; cell < values.length; cell++) {
    const value = values[cell]!;
    if (Number.isInteger(value)) continue;
    const rounded = Math.abs(value) >= 1_000 ? Math.round(value) : Math.round(value * 1_000) / 1_000;
    values[cell] = Math.abs(value) < 1 ? Math.fround(value) : rounded;
  }
}

/** The columns of a block as polled: the numbers to combine, those of a counter being its rates. */
export function spansOfPolled(
  head: BlockHead,
  columns: readonly ColumnValues[],
  spanMs: number,
): FilledBlock {
  const { times, spans } = spansOf([head.times], spanMs);
  const length = head.times.length;
  const filled = columns.map(({ streams: [values], gaps }) => {
    const rows = head.shape.keys.length;
    const column = new SpanColumn(rows * times.length);
    for (let row = 0, at = 0; row < rows; row++) {
      for (let t = 0; t < length; t++, at++) {
        const cell = row * times.length + spans[0]![t]!;
        const gap = gaps?.[at] ?? 0;
        if (gap === 0) column.add(cell, values![at]!);
        else column.addGap(cell, gap);
      }
    }
    return column.finish(times.length);
  });
  return { head: { shape: head.shape, times, started: new Float64Array(times.length) }, columns: filled };
}

/** Joins blocks of the same record and plan to one with longer spans, or with the same where blocks overlap. */
export function joinSpans(blocks: readonly FilledBlock[], spanMs: number): FilledBlock {
  const { shape, parts } = joinShapes(blocks.map(({ head }) => head.shape));
  const { times, spans } = spansOf(
    blocks.map(({ head }) => head.times),
    spanMs,
  );
  const columns = shape.columns.map((_, column) => {
    const joined = new SpanColumn(shape.keys.length * times.length);
    for (const [index, block] of blocks.entries()) {
      const { rows, columns: places } = parts[index]!;
      const from = block.columns[places[column]!];
      if (from === undefined) continue;
      const length = block.head.times.length;
      for (let own = 0; own < block.head.shape.keys.length; own++) {
        const row = rows?.[own] ?? own;
        for (let t = 0; t < length; t++) {
          addCell(joined, row * times.length + spans[index]![t]!, from, own * length + t);
        }
      }
    }
    return joined.finish(times.length);
  });
  return { head: { shape, times, started: new Float64Array(times.length) }, columns };
}

function addCell(joined: SpanColumn, cell: number, { streams, gaps }: ColumnValues, at: number): void {
  const gap = gaps?.[at] ?? 0;
  if (gap !== 0) joined.addGap(cell, gap);
  else {
    const [counts, minima, means, maxima] = streams as FourStreams;
    joined.addMany(cell, counts[at]!, minima[at]!, means[at]!, maxima[at]!);
  }
}

/** The starts of all spans, and for each list of times the position of each span. */
function spansOf(
  lists: readonly Float64Array[],
  spanMs: number,
): { readonly times: Float64Array; readonly spans: readonly number[][] } {
  const startOf = (timeMs: number) => Math.floor(timeMs / spanMs) * spanMs;
  const starts = new Set<number>();
  for (const list of lists) for (const timeMs of list) starts.add(startOf(timeMs));
  const times = Float64Array.from(starts).sort();
  const positions = new Map([...times].map((timeMs, i) => [timeMs, i]));
  return { times, spans: lists.map((list) => Array.from(list, (timeMs) => positions.get(startOf(timeMs))!)) };
}

/** The heads of the columns of a tier that is not as polled: a counter is its rate. */
export function spanShape(shape: Shape): Shape {
  const columns = shape.columns.map((column) =>
    column.metric === 'counter'
      ? {
          field: `${column.field}_rate`,
          metric: 'gauge' as const,
          unit: column.unit && `${column.unit}/s`,
        }
      : column,
  );
  return { ...shape, columns };
}
