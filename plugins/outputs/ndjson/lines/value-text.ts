import type { Column } from '../../../../src/index.ts';

/**
 * The value at `row` as JSON; undefined for a gap. A counter has all its digits, also beyond 2^53; what is no number in JSON
 * (not-a-number, the infinities) is null.
 */
export function valueText(column: Column, row: number): string | undefined {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return undefined;
  switch (column.kind) {
    case 'number':
      return numberText(column.values[row]!);
    case 'counter':
      return counterText(column.words[2 * row]!, column.words[2 * row + 1]!);
    case 'boolean':
      return column.values[row] === 1 ? 'true' : 'false';
    default: {
      const value = column.values[row];
      return value === undefined ? undefined : JSON.stringify(value);
    }
  }
}

function numberText(value: number): string {
  return Number.isFinite(value) ? `${value}` : 'null';
}

function counterText(low: number, high: number): string {
  return high < 0x200000 ? `${high * 0x1_0000_0000 + low}` : ((BigInt(high) << 32n) | BigInt(low)).toString();
}
