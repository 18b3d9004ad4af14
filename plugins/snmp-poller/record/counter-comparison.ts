import { type Column, gapCode } from '../../../src/index.ts';
import { elapsedBetween } from '../counter/device-time.ts';
import { type RowSlots, type Subtraction, subtractComplete } from '../counter/subtract-counters.ts';
import { type ColumnPlan, type ColumnSource, slotOf } from '../plan/poll-plan.ts';
import { buildColumn } from './build-column.ts';
import { settleGaps } from './merge-values.ts';
import type { CounterLayout, CounterState } from './record-memory.ts';
import { settleSources } from './settle-sources.ts';
import { type NumberSlab, ofOtherSource } from './source-reader.ts';

/** Which columns are made from a counter. */
export interface CounterColumns {
  /** The raw value, in the attribute's own field. */
  readonly raw: boolean;
  /** The increase since the previous poll, in `<field>_delta`. */
  readonly delta: boolean;
  /** The increase per second, in `<field>_rate`. */
  readonly rate: boolean;
}

/** Compares the counters of a record with those of its previous poll. */
export class CounterComparison {
  readonly isRestart: boolean;
  readonly #now: CounterState;
  readonly #before: CounterState | undefined;
  readonly #subtract: Subtraction;
  readonly #ms: number;
  readonly #pairs: RowPairs;
  /** Rows whose discontinuity time has changed; undefined when there are none. */
  readonly #discontinuous: Uint8Array | undefined;

  constructor(before: CounterState | undefined, now: CounterState, subtract: Subtraction) {
    const elapsed = before && elapsedBetween(before.at, now.at);
    this.isRestart = elapsed?.isRestart ?? false;
    this.#now = now;
    this.#before = before !== undefined && (elapsed?.ms ?? 0) > 0 ? before : undefined;
    this.#subtract = subtract;
    this.#ms = this.#before === undefined ? 1 : elapsed!.ms;
    this.#pairs = pairRows(before?.keys ?? [], now.keys);
    this.#discontinuous = before && findDiscontinuities(before, now, this.#pairs);
  }

  /** Appends the columns that are derived from a counter to `columns`. */
  derive(column: ColumnPlan, wanted: CounterColumns, slab: NumberSlab, columns: Column[]): void {
    const delta = slab.take(this.#now.keys.length);
    const gaps = this.#subtractUsual(column, delta) ? undefined : this.#subtractAny(column, delta);
    if (wanted.delta) columns.push(buildColumn(column.deltaHead, { kind: 'number', values: delta }, gaps));
    if (wanted.rate) {
      const values = wanted.delta ? slab.take(delta.length) : delta;
      const ms = this.#ms;
      for (let row = 0; row < values.length; row++) values[row] = (1000 * delta[row]!) / ms;
      columns.push(buildColumn(column.rateHead, { kind: 'number', values }, gaps));
    }
  }

  /** The fast path. Returns false when rows have moved, are missing, were reset, or have several sources. */
  #subtractUsual({ sources }: ColumnPlan, delta: Float64Array): boolean {
    const before = this.#before;
    const source = sources[0]!;
    return (
      before !== undefined &&
      before.plan === this.#now.plan &&
      this.#pairs === undefined &&
      !this.isRestart &&
      this.#discontinuous === undefined &&
      sources.length === 1 &&
      source.slots === undefined &&
      subtractComplete(this.#now, before, source.firstSlot, source.scale, delta)
    );
  }

  /** Handles every case. Returns the gaps, if there are any. */
  #subtractAny(column: ColumnPlan, delta: Float64Array): Uint8Array | undefined {
    const { head, holes } = column;
    const count = delta.length;
    const sources = settleSources(column, this.#now.status, count);
    const gaps = new Uint8Array(count).fill(ofOtherSource);
    const before = this.#before;
    for (const source of sources) {
      const earlier =
        before === undefined
          ? noSlots(count)
          : pairSlots(source, head.field, count, this.#now.plan, before.plan, this.#pairs);
      this.#subtract(this.#now, source, before ?? this.#now, earlier, delta, gaps);
      scaleRows(source, delta);
    }
    this.#flagResets(gaps);
    return settleGaps(gaps, holes);
  }

  #flagResets(gaps: Uint8Array): void {
    if (!this.isRestart && this.#discontinuous === undefined) return;
    const [reset, unseeded] = [gapCode('reset'), gapCode('unseeded')];
    for (let row = 0; row < gaps.length; row++) {
      const isReset = this.isRestart || this.#discontinuous?.[row] === 1;
      if (isReset && (gaps[row] === 0 || gaps[row] === unseeded)) gaps[row] = reset;
    }
  }
}

function noSlots(rows: number): RowSlots {
  return { firstSlot: 0, slots: new Int32Array(rows).fill(-1) };
}

function scaleRows(source: ColumnSource, numbers: Float64Array): void {
  const { times, over } = source.scale;
  if (times === over) return;
  for (let row = 0; row < numbers.length; row++) {
    if (slotOf(source, row) >= 0) numbers[row] = (numbers[row]! * times) / over;
  }
}

/** Rows whose agent reports a discontinuity of their counters since the previous poll (RFC 2863 §3.1.5). */
function findDiscontinuities(
  before: CounterState,
  now: CounterState,
  pairs: RowPairs,
): Uint8Array | undefined {
  const slots = now.plan.discontinuity;
  const slotsBefore = before.plan.discontinuity;
  if (slots === undefined || slotsBefore === undefined) return undefined;
  let found: Uint8Array | undefined;
  for (let row = 0; row < slots.length; row++) {
    const rowBefore = pairs === undefined ? row : pairs[row]!;
    const earlier = rowBefore < 0 ? -1 : slotsBefore[rowBefore]!;
    const slot = slots[row]!;
    if (slot < 0 || earlier < 0) continue;
    const isSame =
      now.words[2 * slot] === before.words[2 * earlier] || now.status[slot] !== before.status[earlier];
    if (isSame) continue;
    found ??= new Uint8Array(slots.length);
    found[row] = 1;
  }
  return found;
}

/** The previous row of each row, −1 for a new row; undefined when no row has moved. */
type RowPairs = Int32Array | undefined;

/** Pairs rows by their keys, never by their position. */
function pairRows(before: readonly string[], now: readonly string[]): RowPairs {
  if (before === now || (before.length === now.length && now.every((key, row) => key === before[row]))) {
    return undefined;
  }
  const places = new Map(before.map((key, row) => [key, row]));
  return Int32Array.from(now, (key) => places.get(key) ?? -1);
}

/** The slots of the same attribute in the same rows of the previous poll. */
function pairSlots(
  source: ColumnSource,
  field: string,
  rows: number,
  now: CounterLayout,
  before: CounterLayout,
  pairs: RowPairs,
): RowSlots {
  if (before === now && pairs === undefined) return source;
  const sources =
    before === now
      ? [source]
      : (before.columns.find(({ head }) => head.field === field)?.sources ?? []).filter(
          ({ column }) => column === source.column,
        );
  const slots = Int32Array.from({ length: rows }, (_, row) => {
    const earlier = pairs === undefined ? row : pairs[row]!;
    if (earlier < 0) return -1;
    return sources.map((each) => slotOf(each, earlier)).find((slot) => slot >= 0) ?? -1;
  });
  return { firstSlot: 0, slots };
}
