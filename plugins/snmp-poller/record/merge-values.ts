import { type Column, gapCode, type Value, valueAt } from '../../../src/index.ts';
import type { ColumnValues } from '../../../src/internal.ts';
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
  const merged: (Value | undefined)[] = new Array(gaps.length).fill(undefined);
  gaps.fill(ofOtherSource);
  for (const part of parts) {
    const column = { ...part.values, field: '', gaps: part.gaps } as Column;
    for (let row = 0; row < gaps.length; row++) {
      if (part.gaps[row] === ofOtherSource) continue;
      gaps[row] = part.gaps[row]!;
      merged[row] = valueAt(column, row);
    }
  }
  const kinds = new Set(parts.map(({ values }) => values.kind));
  const [kind] = kinds;
  if (kinds.size === 1 && kind !== undefined) return buildValues(kind, merged);
  if ([...kinds].every((each) => each === 'number' || each === 'counter'))
    return buildValues('number', merged);
  return buildValues('text', merged);
}

function buildValues(kind: ColumnValues['kind'], merged: readonly (Value | undefined)[]): ColumnValues {
  switch (kind) {
    case 'counter': {
      const words = new Uint32Array(2 * merged.length);
      for (const [row, value] of merged.entries()) {
        const bits = BigInt((value as number | bigint | undefined) ?? 0);
        words[2 * row] = Number(bits & 0xffffffffn);
        words[2 * row + 1] = Number(bits >> 32n);
      }
      return { kind, words };
    }
    case 'number':
      return { kind, values: Float64Array.from(merged, (value) => Number(value ?? 0)) };
    case 'boolean':
      return { kind, values: Uint8Array.from(merged, (value) => (value === true ? 1 : 0)) };
    case 'list':
      return { kind, values: merged as readonly (readonly string[] | undefined)[] };
    default:
      return { kind, values: merged.map((value) => (value === undefined ? undefined : String(value))) };
  }
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
