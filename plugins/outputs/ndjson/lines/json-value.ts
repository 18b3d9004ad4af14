import type { Column } from '../../../../src/index.ts';
import type { TextBuffer } from '../../../../src/internal.ts';

/**
 * Writes the value at `row` as JSON; false for a gap, for which nothing is written. A counter has all its digits, also beyond 2^53;
 * what is no number in JSON (not-a-number, the infinities) is null.
 */
export function writeJsonValue(out: TextBuffer, column: Column, row: number): boolean {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return false;
  switch (column.kind) {
    case 'number': {
      const value = column.values[row]!;
      if (Number.isFinite(value)) out.float(value);
      else out.write('null');
      return true;
    }
    case 'counter':
      out.counter(column.words[2 * row]!, column.words[2 * row + 1]!);
      return true;
    case 'boolean':
      out.write(column.values[row] === 1 ? 'true' : 'false');
      return true;
    default: {
      const value = column.values[row];
      if (value === undefined) return false;
      out.write(JSON.stringify(value));
      return true;
    }
  }
}
