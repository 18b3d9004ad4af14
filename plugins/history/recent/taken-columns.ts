import type { Batch, Column, ColumnFacts, Rows } from '../../../src/index.ts';
import { gapCode } from '../../../src/index.ts';
import type { ColumnHead, Shape } from '../chunk/block.ts';

/** The column of a batch whose numbers are kept, and its head. */
export interface TakenColumn {
  readonly index: number;
  readonly head: ColumnHead;
}

/** Texts are states when their definition names their numbers. Other texts and lists are no numbers. */
export function takeColumns(columns: readonly Column[]): readonly TakenColumn[] {
  const fields = new Set(columns.map(({ field }) => field));
  return columns.flatMap((column, index) => {
    const { field, metric, unit, about, kind } = column;
    const isState = kind === 'text' && about?.names !== undefined;
    if (!isState && (kind === 'text' || kind === 'list')) return [];
    if (isDerived(field, fields)) return [];
    const names = about?.names === undefined ? undefined : [...about.names];
    const { wrapsAt, marksReset } = about ?? {};
    return [{ index, head: { field, metric, unit, names, wrapsAt, marksReset } }];
  });
}

/** The rate of a counter that is kept itself is computed when it is read. */
function isDerived(field: string, fields: ReadonlySet<string>): boolean {
  const counter = /^(.+)_(?:rate|delta)$/.exec(field)?.[1];
  return counter !== undefined && fields.has(counter);
}

export function shapeOf(batch: Batch, taken: readonly TakenColumn[]): Shape {
  const { device, record, plan, intervalMs = 0, rows } = batch;
  const columns = taken.map(({ head }) => head);
  return { device: device.name, record, plan, intervalMs, keys: rows.keys, labels: rows.labels, columns };
}

export interface NumberColumns {
  readonly values: Float64Array;
  readonly gaps: Uint8Array | undefined;
}

/** Reads columns as numbers. A missing value repeats the one of the row before it, which takes the least space. */
export class NumberReader {
  #values = new Float64Array(0);
  #gaps = new Uint8Array(0);
  readonly #numbers = new WeakMap<ColumnFacts, ReadonlyMap<string, number>>();

  /** The result is valid until the next call. */
  read(column: Column, { count }: Rows): NumberColumns {
    if (this.#values.length < count) {
      this.#values = new Float64Array(2 * count);
      this.#gaps = new Uint8Array(2 * count);
    }
    const values = this.#values.subarray(0, count);
    const gaps = column.kind === 'text' ? this.#readStates(column, values) : readNumbers(column, values);
    if (gaps === undefined) return { values, gaps };
    for (let row = 0, before = 0; row < count; row++) {
      if (gaps[row] === 0) before = values[row]!;
      else values[row] = before;
    }
    return { values, gaps };
  }

  #readStates(column: Extract<Column, { kind: 'text' }>, values: Float64Array): Uint8Array | undefined {
    const numbers = this.#numbersOf(column.about!);
    const gaps = this.#gaps.subarray(0, values.length).fill(0);
    let hasGap = false;
    for (let row = 0; row < values.length; row++) {
      const text = column.values[row];
      const code = column.gaps?.[row] ?? 0;
      const number = text === undefined ? undefined : (numbers.get(text) ?? parseNumber(text));
      if (code === 0 && number !== undefined) values[row] = number;
      else gaps[row] = code || gapCode('decode');
      hasGap ||= gaps[row] !== 0;
    }
    return hasGap ? gaps : undefined;
  }

  #numbersOf(about: ColumnFacts): ReadonlyMap<string, number> {
    let numbers = this.#numbers.get(about);
    if (numbers === undefined) {
      numbers = new Map([...(about.names ?? [])].map(([number, name]) => [name, number]));
      this.#numbers.set(about, numbers);
    }
    return numbers;
  }
}

/** A state that its definition does not name appears as its number. */
function parseNumber(text: string): number | undefined {
  return /^-?\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function readNumbers(column: Column, values: Float64Array): Uint8Array | undefined {
  if (column.kind === 'counter') {
    const { words } = column;
    for (let row = 0; row < values.length; row++) {
      values[row] = words[2 * row]! + words[2 * row + 1]! * 2 ** 32;
    }
  } else if (column.kind === 'number' || column.kind === 'boolean')
    values.set(column.values.subarray(0, values.length));
  return column.gaps?.some((code) => code !== 0) ? column.gaps.subarray(0, values.length) : undefined;
}
