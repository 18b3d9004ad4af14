import type { ColumnHead, Shape } from './block.ts';

/** A field that was asked for, and the column that has it. */
export interface WantedColumn {
  readonly head: ColumnHead;
  readonly index: number;
  /** The column is a counter, and its rate is wanted. */
  readonly isRate: boolean;
}

/** The columns of a shape that have the fields; without fields all, with the rates of counters. `spanMs` is 0 for values as polled. */
export function wantedColumns(
  { columns }: Shape,
  fields: readonly string[] | undefined,
  spanMs: number,
): WantedColumn[] {
  const places = new Map(columns.map(({ field }, index) => [field, index]));
  const wanted =
    fields ??
    columns.map(({ field, metric }) => (spanMs === 0 && metric === 'counter' ? `${field}_rate` : field));
  return [...new Set(wanted)].flatMap((field): WantedColumn[] => {
    const index = places.get(field);
    if (index !== undefined) return [{ head: columns[index]!, index, isRate: false }];
    const counter = field.endsWith('_rate') ? places.get(field.slice(0, -'_rate'.length)) : undefined;
    if (counter === undefined || columns[counter]!.metric !== 'counter') return [];
    const { unit, wrapsAt } = columns[counter]!;
    const head = { field, metric: 'gauge' as const, unit: unit && `${unit}/s`, wrapsAt };
    return [{ head, index: counter, isRate: true }];
  });
}

/** The column whose changes mark resets of the counters of a row. */
export function markIndexOf(columns: readonly ColumnHead[]): number | undefined {
  const index = columns.findIndex(({ marksReset }) => marksReset);
  return index < 0 ? undefined : index;
}
