import { isShortDash } from './word-marks.ts';

/** The value of `-12`, `'00FF'H` or `'0101'B`; bigint where a number would not be exact, undefined above 64 bits. */
export function parseInteger(written: string): number | bigint | undefined {
  if (written.length > maxDigits) return undefined;
  const text = isShortDash(written.charCodeAt(0)) ? `-${written.slice(1)}` : written;
  if (!text.startsWith("'")) {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : within64Bits(BigInt(text));
  }
  const digits = text.slice(1, -2).replace(/\s+/g, '');
  const isHex = /h$/i.test(text);
  if (!isHex && /[^01]/.test(digits)) return undefined;
  if (digits === '') return 0;
  const value = BigInt(`${isHex ? '0x' : '0b'}${digits}`);
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : within64Bits(value);
}

/** Of 64 bits, with quotation marks. */
const maxDigits = 68;

function within64Bits(value: bigint): bigint | undefined {
  return value < 2n ** 64n && value >= -(2n ** 63n) ? value : undefined;
}
