import type { ColumnValues } from '../../../src/definitions/index.ts';
import type { Column, CounterColumn } from '../../../src/index.ts';
import type { ColumnHead } from '../plan/poll-plan.ts';

type Values = Exclude<ColumnValues, { readonly kind: 'counter' }>;

/**
 * Builds a column of a batch. Each set of optional properties is spelled out, because an object that is made by spreading another
 * one is slow to make, and each of a million columns would have its own hidden class.
 */
export function buildColumn(head: ColumnHead, values: ColumnValues, gaps: Uint8Array | undefined): Column {
  return values.kind === 'counter'
    ? buildCounters(head, values.words, gaps)
    : (buildOthers(head, values, gaps) as Column);
}

function buildCounters(
  { field, metric, unit, about }: ColumnHead,
  words: Uint32Array,
  gaps: Uint8Array | undefined,
): CounterColumn {
  const kind = 'counter';
  if (metric === undefined) {
    return unit === undefined
      ? { field, about, kind, words, gaps }
      : { field, unit, about, kind, words, gaps };
  }
  return unit === undefined
    ? { field, metric, about, kind, words, gaps }
    : { field, metric, unit, about, kind, words, gaps };
}

function buildOthers(
  { field, metric, unit, about }: ColumnHead,
  { kind, values }: Values,
  gaps: Uint8Array | undefined,
): Pick<Column, 'field' | 'metric' | 'unit' | 'about' | 'kind' | 'gaps'> & Pick<Values, 'values'> {
  if (metric === undefined) {
    return unit === undefined
      ? { field, about, kind, values, gaps }
      : { field, unit, about, kind, values, gaps };
  }
  return unit === undefined
    ? { field, metric, about, kind, values, gaps }
    : { field, metric, unit, about, kind, values, gaps };
}
