import { type Column, gapCode } from '../../../src/index.ts';
import type { ColumnHead, PoolPlan } from '../plan/poll-plan.ts';

/**
 * Records of the vocabulary have one type for each field, whatever the MIB: gauges of 64 bits become numbers. In a pool, the size, the
 * used and the free part and the usage that the device does not have follow from two others.
 */
export function settleWords(columns: readonly Column[], pool: PoolPlan | undefined, count: number): Column[] {
  const settled = columns.map((column) =>
    column.kind === 'counter' && column.metric === 'gauge' ? asNumbers(column) : column,
  );
  return pool === undefined ? settled : completePool(settled, pool, count);
}

function asNumbers(column: Extract<Column, { kind: 'counter' }>): Column {
  const { words, kind: _, ...rest } = column;
  const values = new Float64Array(words.length / 2);
  for (let row = 0; row < values.length; row++) {
    values[row] = words[2 * row + 1]! * 2 ** 32 + words[2 * row]!;
  }
  return { ...rest, kind: 'number', values };
}

function completePool(columns: Column[], { heads, whole }: PoolPlan, count: number): Column[] {
  const known = heads.map(({ field }) => columns.find((column) => column.field === field));
  const given = known.map((column) => numbersOf(column, count));
  const [size, used, free, usage] = given as [Float64Array, Float64Array, Float64Array, Float64Array];
  let isComplete = true;
  for (let row = 0; row < count; row++) {
    const all = sizeOf(size[row]!, used[row]!, free[row]!, usage[row]!, whole);
    const taken = firstOf(used[row]!, all - free[row]!, (all * usage[row]!) / whole);
    isComplete &&= given.every((values) => !Number.isNaN(values[row]));
    size[row] = all;
    used[row] = taken;
    free[row] = firstOf(free[row]!, all - taken);
    usage[row] = firstOf(usage[row]!, all > 0 ? (taken / all) * whole : Number.NaN);
  }
  if (isComplete) return columns;
  const others = columns.filter((column) => !known.includes(column));
  const completed = heads.flatMap((head, i): Column[] => {
    const own = known[i];
    const column = withValues(own === undefined ? head : own, given[i]!, own?.gaps);
    return own === undefined && given[i]!.every(Number.isNaN) ? [] : [column];
  });
  return [...completed, ...others];
}

function sizeOf(size: number, used: number, free: number, usage: number, whole: number): number {
  if (!Number.isNaN(size)) return size;
  const sum = used + free;
  if (!Number.isNaN(sum)) return sum;
  if (usage > 0 && !Number.isNaN(used)) return (used / usage) * whole;
  return usage < whole ? free / (1 - usage / whole) : Number.NaN;
}

function firstOf(...values: readonly number[]): number {
  return values.find((value) => value >= 0) ?? Number.NaN;
}

/** A copy; NaN for a gap. */
function numbersOf(column: Column | undefined, count: number): Float64Array {
  const values = new Float64Array(count).fill(Number.NaN);
  if (column?.kind !== 'number') return values;
  for (let row = 0; row < count; row++) {
    if ((column.gaps?.[row] ?? 0) === 0) values[row] = column.values[row]!;
  }
  return values;
}

function withValues(
  { field, metric, unit, about }: Pick<ColumnHead, 'field' | 'metric' | 'unit'> & { about?: unknown },
  values: Float64Array,
  before: Uint8Array | undefined,
): Column {
  let gaps: Uint8Array | undefined;
  for (let row = 0; row < values.length; row++) {
    if (!Number.isNaN(values[row])) continue;
    gaps ??= new Uint8Array(values.length);
    gaps[row] = before?.[row] || absent;
    values[row] = 0;
  }
  return { field, metric, unit, about, kind: 'number', values, gaps } as Column;
}

/** Nothing tells this part of the pool. */
const absent = gapCode('noSuchInstance');
