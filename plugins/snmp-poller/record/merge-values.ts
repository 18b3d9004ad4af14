import type { ColumnValues } from '../../../src/definitions/index.ts';
import { type Column, gapCode, valueAt } from '../../../src/index.ts';
import { ofOtherSource } from './source-reader.ts';

/** The values of one source of a column. `ofOtherSource` in its gaps marks the rows of other sources. */
export interface ColumnPart {
  readonly values: ColumnValues;
  readonly gaps: Uint8Array;
}

/**
 * Merges sources that each write some rows of a column. Sources of one kind keep that kind, counters and numbers become numbers,
 * and other combinations become text. Afterwards `gaps` has the gap code of each row, and `ofOtherSource` for rows without a source.
 */
export function mergeValues(parts: readonly ColumnPart[], gaps: Uint8Array): ColumnValues {
  const merged = emptyValues(mergedKind(parts), gaps.length);
  gaps.fill(ofOtherSource);
  for (const { values, gaps: own } of parts) {
    const column = { ...values, field: '', gaps: own } as Column;
    for (let row = 0; row < gaps.length; row++) {
      if (own[row] === ofOtherSource) continue;
      gaps[row] = own[row]!;
      if (own[row] === 0) copyValue(column, row, merged);
    }
  }
  return merged;
}

function mergedKind(parts: readonly { readonly values: Pick<ColumnValues, 'kind'> }[]): ColumnValues['kind'] {
  const kinds = new Set(parts.map(({ values }) => values.kind));
  const [kind] = kinds;
  if (kinds.size === 1 && kind !== undefined) return kind;
  return [...kinds].every((each) => each === 'number' || each === 'counter') ? 'number' : 'text';
}

type Texts = (string | undefined)[];
type Lists = (readonly string[] | undefined)[];
type MergedValues =
  | Exclude<ColumnValues, { readonly kind: 'text' | 'list' }>
  | { readonly kind: 'text'; readonly values: Texts }
  | { readonly kind: 'list'; readonly values: Lists };

function emptyValues(kind: ColumnValues['kind'], count: number): MergedValues {
  switch (kind) {
    case 'counter':
      return { kind, words: new Uint32Array(2 * count) };
    case 'number':
      return { kind, values: new Float64Array(count) };
    case 'boolean':
      return { kind, values: new Uint8Array(count) };
    case 'list':
      return { kind, values: new Array<Lists[number]>(count).fill(undefined) };
    case 'text':
      return { kind, values: new Array<Texts[number]>(count).fill(undefined) };
  }
}

/** Each kind in its own form: a `bigint` for each counter of a long table would take most of the time. */
function copyValue(column: Column, row: number, into: MergedValues, at = row): void {
  if (into.kind === 'counter' && column.kind === 'counter') {
    into.words[2 * at] = column.words[2 * row]!;
    into.words[2 * at + 1] = column.words[2 * row + 1]!;
  } else if (into.kind === 'number' && column.kind === 'counter') {
    into.values[at] = column.words[2 * row + 1]! * 2 ** 32 + column.words[2 * row]!;
  } else if (into.kind === 'number' && column.kind === 'number') into.values[at] = column.values[row]!;
  else if (into.kind === 'boolean' && column.kind === 'boolean') into.values[at] = column.values[row]!;
  else if (into.kind === 'list' && column.kind === 'list') into.values[at] = column.values[row];
  else if (into.kind === 'text') {
    const value = valueAt(column, row);
    into.values[at] = value === undefined ? undefined : String(value);
  }
}

/** Columns of one field of several tables, one after the other. A table without the column has `gap` in all of its rows. */
export function mergeColumns(
  parts: readonly { readonly column: Column | undefined; readonly count: number }[],
  count: number,
  gap: number,
): Column {
  const columns = parts.flatMap(({ column }) => column ?? []);
  const merged = emptyValues(mergedKind(columns.map((values) => ({ values }))), count);
  const gaps = new Uint8Array(count).fill(gap);
  let start = 0;
  for (const { column, count: own } of parts) {
    for (let row = 0; row < own && column !== undefined; row++) {
      gaps[start + row] = column.gaps?.[row] ?? 0;
      if (gaps[start + row] === 0) copyValue(column, row, merged, start + row);
    }
    start += own;
  }
  const { field, metric, unit, about } = columns[0]!;
  return {
    field,
    metric,
    unit,
    about,
    ...merged,
    gaps: gaps.some((each) => each !== 0) ? gaps : undefined,
  } as Column;
}

/** Gives rows without a source their gap code from `holes`. Returns undefined when nothing is missing. */
export function settleGaps(gaps: Uint8Array, holes: Uint8Array | undefined): Uint8Array | undefined {
  let isAny = false;
  for (let row = 0; row < gaps.length; row++) {
    if (gaps[row] === ofOtherSource) gaps[row] = holes?.[row] ?? gapCode('noSuchInstance');
    isAny ||= gaps[row] !== 0;
  }
  return isAny ? gaps.slice() : undefined;
}
