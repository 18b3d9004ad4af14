import type { Batch, Column, CounterColumn, NumberColumn, Rows } from '../../../../src/index.ts';
import type { ColumnFamilies, Family } from '../../../../src/output-kit/index.ts';

/**
 * Where the counters of a batch are between two polls. A poll reads a counter once per interval, but Prometheus takes each scrape for a
 * reading of that moment: of a counter that is polled every 60 seconds and scraped every 30, `rate()` would be a third too low or too
 * high. So each counter moves evenly from the value that was served last to the polled one, and reaches it one interval after the poll.
 * Whenever it is scraped, it is where the counter of the device was a fixed time before.
 */
export interface CounterPaths {
  /** When the paths begin and end, in milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  /** By served column: the values at the start. NaN for a row that was polled only once. Undefined for a column that is not a counter. */
  readonly starts: readonly (Float64Array | undefined)[];
}

/** A batch, its columns as they are served, and where its counters are meanwhile. */
export interface PathedBatch extends Pick<ColumnFamilies, 'columns'> {
  readonly batch: Batch;
  readonly paths: CounterPaths | undefined;
}

/** A poll that is late by no more than this lets no counter stand still. */
const lateness = { intervals: 0.1, ms: 2_000 };

/** Continues the paths of `before` to the values of `columns`. Undefined without counters. */
export function continuePaths(
  { batch, columns }: Omit<PathedBatch, 'paths'>,
  before: PathedBatch | undefined,
  intervalMs: number | undefined,
  nowMs: number,
): CounterPaths | undefined {
  if (!columns.some(({ column }) => isCounter(column))) return undefined;
  const delayMs = (intervalMs ?? 0) * (1 + lateness.intervals) + lateness.ms;
  const span = { startMs: nowMs, endMs: Math.max(batch.timeMs + delayMs, nowMs), delayMs };
  const rowsBefore = before && pairRows(batch.rows, before.batch.rows);
  const starts = columns.map(({ family, column }, position) => {
    if (!isCounter(column)) return undefined;
    const values = new Float64Array(batch.rows.count).fill(Number.NaN);
    const found = before === undefined ? -1 : findColumn(before.columns, family, position);
    if (found >= 0) fillStarts(values, column, span, before!, found, rowsBefore);
    return values;
  });
  return { startMs: span.startMs, endMs: span.endMs, starts };
}

/** The part of the paths that lies behind at a time, from 0 to 1. */
export function progressAt({ startMs, endMs }: CounterPaths, nowMs: number): number {
  return nowMs >= endMs ? 1 : Math.max(0, (nowMs - startMs) / (endMs - startMs));
}

/** A counter that is a number of whole units stays one. */
export function valueOnPath(start: number, end: number, progress: number): number {
  const value = start + (end - start) * progress;
  return Number.isInteger(end) ? Math.floor(value) : value;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
  /** How long after its poll a value is reached. */
  readonly delayMs: number;
}

function fillStarts(
  starts: Float64Array,
  column: CounterLike,
  { startMs, endMs, delayMs }: Span,
  { batch, columns, paths }: PathedBatch,
  position: number,
  rowsBefore: Int32Array | undefined,
): void {
  const columnBefore = columns[position]!.column as CounterLike;
  const startsBefore = paths?.starts[position];
  const progress = paths === undefined ? 1 : progressAt(paths, startMs);
  for (let row = 0; row < starts.length; row++) {
    const rowBefore = rowsBefore === undefined ? row : rowsBefore[row]!;
    if (rowBefore < 0) continue;
    const from = startsBefore?.[rowBefore] ?? Number.NaN;
    const polled = numberAt(columnBefore, rowBefore);
    const value = numberAt(column, row);
    if (Number.isNaN(polled)) {
      // The last poll has no value: the path goes from the value before it directly to this one.
      starts[row] = value < from ? 0 : pointAt(startMs, [paths?.startMs ?? startMs, from], [endMs, value]);
    } else if (value < polled) {
      // The counter began again: it counts from zero.
      starts[row] = 0;
    } else if (Number.isNaN(from)) {
      starts[row] = pointAt(startMs, [batch.timeMs + delayMs, polled], [endMs, value]);
    } else {
      starts[row] = from + (polled - from) * progress;
    }
  }
}

type Point = readonly [timeMs: number, value: number];

/** The value at a time on the line through two points. It is not below zero, and `from` where the value at `to` is not known. */
function pointAt(timeMs: number, [fromMs, from]: Point, [toMs, to]: Point): number {
  if (Number.isNaN(to) || toMs <= fromMs) return from;
  return Math.max(0, from + ((to - from) * (timeMs - fromMs)) / (toMs - fromMs));
}

type CounterLike = NumberColumn | CounterColumn;

function isCounter(column: Column): column is CounterLike {
  return column.metric === 'counter' && (column.kind === 'counter' || column.kind === 'number');
}

/** NaN for a gap. */
function numberAt(column: CounterLike, row: number): number {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return Number.NaN;
  if (column.kind === 'number') return column.values[row]!;
  return column.words[2 * row + 1]! * 0x1_0000_0000 + column.words[2 * row]!;
}

/** Usually a column stays at its position. */
function findColumn(columns: PathedBatch['columns'], family: Family, position: number): number {
  return columns[position]?.family === family
    ? position
    : columns.findIndex((each) => each.family === family);
}

/** For each row its number among the rows before, −1 where it is new. Undefined when the rows are the same. */
function pairRows(rows: Rows, before: Rows): Int32Array | undefined {
  if (rows === before) return undefined;
  const positions = new Map(before.keys.map((key, row) => [key, row]));
  return Int32Array.from(rows.keys, (key) => positions.get(key) ?? -1);
}
