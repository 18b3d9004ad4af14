import { gapCode } from '../../../model/gap.ts';
import type { Scale } from '../syntax.ts';
import { fillNumbers } from './number-column.ts';
import type { RawColumn } from './raw-column.ts';
import {
  readDecibelsInText,
  readNumber,
  readNumberAfterColon,
  readNumberInText,
  readPercentInText,
} from './raw-number.ts';

const decodeGap = gapCode('decode');
const absentGap = gapCode('absent');

/** As `scaleColumn`; of a text, its first number. */
export function scaleNumbersInText(raw: RawColumn, scale: Scale, out: Float64Array, gaps: Uint8Array): void {
  fillNumbers(raw, scale, readNumberInText, out, gaps);
}

/** As `scaleColumn`; of a text, its first number after the last colon. */
export function scaleNumbersAfterColon(
  raw: RawColumn,
  scale: Scale,
  out: Float64Array,
  gaps: Uint8Array,
): void {
  fillNumbers(raw, scale, readNumberAfterColon, out, gaps);
}

/** As `scaleColumn`; of a text, its first number before a percent sign. */
export function scalePercentsInText(raw: RawColumn, scale: Scale, out: Float64Array, gaps: Uint8Array): void {
  fillNumbers(raw, scale, readPercentInText, out, gaps);
}

/** Milliwatts, or parts of them, to dBm. A text such as "0.03 mW (-14.61 dBm)" says it more exactly itself. No power has no logarithm: its row gets the gap `absent`. */
export function scaleMilliwatts(
  raw: RawColumn,
  { times, over }: Scale,
  out: Float64Array,
  gaps: Uint8Array,
): void {
  for (let row = 0; row < raw.count; row++) {
    if (gaps[row] !== 0) continue;
    const decibels = readDecibelsInText(raw, row);
    if (Number.isFinite(decibels)) {
      out[row] = decibels;
      continue;
    }
    const milliwatts = (readNumberInText(raw, row) * times) / over;
    if (milliwatts > 0 && milliwatts < Infinity) out[row] = 10 * Math.log10(milliwatts);
    else gaps[row] = milliwatts === 0 ? absentGap : decodeGap;
  }
}

/** Degrees Fahrenheit, or their tenths, to degrees Celsius. */
export function scaleFahrenheit(raw: RawColumn, scale: Scale, out: Float64Array, gaps: Uint8Array): void {
  const freezing = 32 * (scale.over / 1.8);
  for (let row = 0; row < raw.count; row++) {
    if (gaps[row] !== 0) continue;
    const value = ((readNumber(raw, row) - freezing) * scale.times) / scale.over;
    if (Number.isFinite(value)) out[row] = value;
    else gaps[row] = decodeGap;
  }
}
