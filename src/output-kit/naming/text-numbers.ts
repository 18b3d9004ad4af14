import type { NumberColumn, TextColumn } from '../../model/batch.ts';
import { gapCode } from '../../model/gap.ts';

/** The states of a column as their numbers. A state without a name is its number already. */
export function stateNumbers(column: TextColumn, codes: ReadonlyMap<string, number>): NumberColumn {
  return readNumbers(column, (text) => codes.get(text) ?? Number(text));
}

/** Dates as seconds since 1970. */
export function dateNumbers(column: TextColumn): NumberColumn {
  return readNumbers(column, (text) => Date.parse(atUtc(text)) / 1_000);
}

/** A device that does not tell its time zone is taken to be at UTC. */
function atUtc(text: string): string {
  return /(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
}

function readNumbers(column: TextColumn, read: (text: string) => number): NumberColumn {
  const values = new Float64Array(column.values.length);
  const gaps = new Uint8Array(column.values.length);
  for (const [row, text] of column.values.entries()) {
    const gap = column.gaps?.[row] ?? 0;
    const value = gap === 0 && text !== undefined && text !== '' ? read(text) : Number.NaN;
    values[row] = value;
    gaps[row] = Number.isNaN(value) ? gap || decodeGap : 0;
  }
  return { kind: 'number', metric: 'gauge', field: column.field, values, gaps };
}

const decodeGap = gapCode('decode');
