import { gapCode } from '../../../model/gap.ts';
import type { Scale } from '../syntax.ts';
import { type RawColumn, rawTag } from './raw-column.ts';
import { isSigned, isWide, isWord, readFloat, readNumber } from './raw-number.ts';

const decodeGap = gapCode('decode');
const two32 = 2 ** 32;
const two64 = 2n ** 64n;

/** Rows whose gap is set are left alone. A row without a number gets the gap `decode`. */
export function scaleColumn(raw: RawColumn, scale: Scale, out: Float64Array, gaps: Uint8Array): void {
  fillNumbers(raw, scale, readNumber, out, gaps);
}

/** As `scaleColumn`, with four or eight octets read as IEEE 754. */
export function scaleFloats(raw: RawColumn, scale: Scale, out: Float64Array, gaps: Uint8Array): void {
  fillNumbers(raw, scale, readFloat, out, gaps);
}

/** Numbers as `read` gives them, scaled. */
export function fillNumbers(
  raw: RawColumn,
  { times, over }: Scale,
  read: (raw: RawColumn, row: number) => number,
  out: Float64Array,
  gaps: Uint8Array,
): void {
  const { count, words, tags } = raw;
  for (let row = 0; row < count; row++) {
    if (gaps[row] !== 0) continue;
    const number = isWord(tags[row]!) ? words[2 * row]! : read(raw, row);
    const value = (number * times) / over;
    if (Number.isFinite(value)) out[row] = value;
    else gaps[row] = decodeGap;
  }
}

/**
 * Multiplies unsigned values with all their bits by a whole number, exactly. A product above 64 bits is a gap and never wraps.
 * Subtract counters that wrap before scaling them: a scaled counter no longer wraps at a power of two.
 */
export function scaleCounters(raw: RawColumn, times: number, out: Uint32Array, gaps: Uint8Array): void {
  const { count, words, tags } = raw;
  for (let row = 0; row < count; row++) {
    if (gaps[row] !== 0) continue;
    if (times === 1 && (tags[row] === rawTag.counter64 || isWord(tags[row]!))) {
      out[2 * row] = words[2 * row]!;
      out[2 * row + 1] = tags[row] === rawTag.counter64 ? words[2 * row + 1]! : 0;
      continue;
    }
    const value = readNumber(raw, row);
    const product = Math.round(value * times);
    if (!(value >= 0) || product === Number.POSITIVE_INFINITY) {
      gaps[row] = decodeGap;
    } else if (product <= Number.MAX_SAFE_INTEGER) {
      out[2 * row] = product;
      out[2 * row + 1] = product / two32;
    } else {
      const exact = Number.isInteger(value) ? readExactInteger(raw, row) * BigInt(times) : BigInt(product);
      if (exact >= two64) gaps[row] = decodeGap;
      out[2 * row] = Number(exact & 0xffffffffn);
      out[2 * row + 1] = Number((exact >> 32n) & 0xffffffffn);
    }
  }
}

/** The row's number with all its bits, rounded to a whole number. The row must hold a finite number. */
export function readExactInteger(raw: RawColumn, row: number): bigint {
  const value = readNumber(raw, row);
  if (!isWide(raw.tags[row])) return BigInt(Math.round(value));
  const bits = (BigInt(raw.words[2 * row + 1] ?? 0) << 32n) | BigInt(raw.words[2 * row] ?? 0);
  return isSigned(raw.tags[row]) ? BigInt.asIntN(64, bits) : bits;
}
