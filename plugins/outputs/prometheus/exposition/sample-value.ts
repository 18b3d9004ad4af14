import type { Column } from '../../../../src/index.ts';
import { writeCounter, writeFloat } from '../../../../src/internal.ts';

/**
 * Writes the number at `row` at `at` and answers where it ends; at `at` where there is no number. There must be room. A
 * counter has all its digits, whatever its reader makes of them.
 */
export function writeNumber(bytes: Buffer, at: number, column: Column, row: number): number {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return at;
  switch (column.kind) {
    case 'number': {
      const value = column.values[row]!;
      if (Math.abs(value) !== Number.POSITIVE_INFINITY) return writeFloat(bytes, at, value);
      return at + bytes.write(value > 0 ? '+Inf' : '-Inf', at);
    }
    case 'counter':
      return writeCounter(bytes, at, column.words[2 * row]!, column.words[2 * row + 1]!);
    case 'boolean':
      bytes[at] = column.values[row] === 1 ? digitZero + 1 : digitZero;
      return at + 1;
    default:
      return at;
  }
}

const digitZero = 0x30;
