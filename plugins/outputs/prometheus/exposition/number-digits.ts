import type { Column } from '../../../../src/index.ts';

/** As much room as any number takes. */
export const maxNumberBytes = 32;

/**
 * Writes the number at `row` at `at` and answers where it ends; at `at` where there is no number. There must be room. A
 * counter has all its digits, whatever its reader makes of them.
 */
export function writeNumber(bytes: Buffer, at: number, column: Column, row: number): number {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return at;
  switch (column.kind) {
    case 'number':
      return writeFloat(bytes, at, column.values[row]!);
    case 'counter': {
      const low = column.words[2 * row]!;
      const high = column.words[2 * row + 1]!;
      if (high < 0x200000) return writeInteger(bytes, at, high * 0x1_0000_0000 + low);
      return writeText(bytes, at, ((BigInt(high) << 32n) | BigInt(low)).toString());
    }
    case 'boolean':
      bytes[at] = column.values[row] === 1 ? digitZero + 1 : digitZero;
      return at + 1;
    default:
      return at;
  }
}

const digitZero = 0x30;

function writeFloat(bytes: Buffer, at: number, value: number): number {
  if (value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value) {
    return writeInteger(bytes, at, value);
  }
  if (Number.isFinite(value)) return writeText(bytes, at, `${value}`);
  if (Number.isNaN(value)) return writeText(bytes, at, 'NaN');
  return writeText(bytes, at, value > 0 ? '+Inf' : '-Inf');
}

/** Of ASCII, and so short that a call of the runtime would cost more. */
function writeText(bytes: Buffer, at: number, text: string): number {
  const { length } = text;
  for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(i);
  return at + length;
}

/** From 0 to 2 ** 53. */
function writeInteger(bytes: Buffer, at: number, value: number): number {
  if (value < 1e8) return writeDigits(bytes, at, value, countDigits(value));
  const head = Math.floor(value / 1e8);
  const middle = writeDigits(bytes, at, head, countDigits(head));
  return writeDigits(bytes, middle, value - head * 1e8, 8);
}

/** Less than 1e8, so that dividing is done in 32 bits; with zeros in front where `count` is more than it has. */
function writeDigits(bytes: Buffer, at: number, value: number, count: number): number {
  let rest = value | 0;
  for (let i = at + count - 1; i >= at; i--) {
    const tenth = (rest / 10) | 0;
    bytes[i] = digitZero + rest - tenth * 10;
    rest = tenth;
  }
  return at + count;
}

function countDigits(value: number): number {
  if (value < 1e4) return value < 1e2 ? (value < 10 ? 1 : 2) : value < 1e3 ? 3 : 4;
  return value < 1e6 ? (value < 1e5 ? 5 : 6) : value < 1e7 ? 7 : 8;
}
