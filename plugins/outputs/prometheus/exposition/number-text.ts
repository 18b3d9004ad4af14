import type { Column } from '../../../../src/index.ts';

/** The number at `row`; undefined for a gap. A counter has all its digits, whatever its reader makes of them. */
export function numberText(column: Column, row: number): string | undefined {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return undefined;
  switch (column.kind) {
    case 'number':
      return floatText(column.values[row]!);
    case 'counter': {
      const low = column.words[2 * row]!;
      const high = column.words[2 * row + 1]!;
      return high < 0x200000
        ? `${high * 0x1_0000_0000 + low}`
        : ((BigInt(high) << 32n) | BigInt(low)).toString();
    }
    case 'boolean':
      return column.values[row] === 1 ? '1' : '0';
    default:
      return undefined;
  }
}

function floatText(value: number): string {
  if (Number.isFinite(value)) return `${value}`;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}
