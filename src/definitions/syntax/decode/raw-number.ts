import { octetsAt, type RawColumn, rawTag } from './raw-column.ts';

const two32 = 2 ** 32;

/** The number in a row, NaN if there is none. Above 2^53 it is the nearest number. */
export function readNumber(raw: RawColumn, row: number): number {
  const low = raw.words[2 * row] ?? 0;
  const high = raw.words[2 * row + 1] ?? 0;
  const tag = raw.tags[row] ?? 0;
  if (isWord(tag)) return low;
  switch (tag) {
    case rawTag.integer:
    case rawTag.int64:
      return (high | 0) * two32 + low;
    case rawTag.counter64:
    case rawTag.opaqueCounter64:
    case rawTag.uInt64:
      return high * two32 + low;
    case rawTag.float:
      return singleOf(low);
    case rawTag.double:
      return doubleOf(low, high);
    case rawTag.octetString:
      return spelledNumber(octetsAt(raw, row));
    default:
      return Number.NaN;
  }
}

/** As `readNumber`; four or eight octets are IEEE 754 (RFC 6340) unless they spell a number. */
export function readFloat(raw: RawColumn, row: number): number {
  const value = readNumber(raw, row);
  const tag = raw.tags[row];
  if (!Number.isNaN(value) || (tag !== rawTag.octetString && tag !== rawTag.opaque)) return value;
  const octets = octetsAt(raw, row);
  if (octets?.length === 4) return singleOf(wordAt(octets, 0));
  return octets?.length === 8 ? doubleOf(wordAt(octets, 4), wordAt(octets, 0)) : value;
}

/** As `readNumber`; of a text, its first decimal number. */
export function readNumberInText(raw: RawColumn, row: number): number {
  return readText(raw, row, firstNumber);
}

/** The first decimal number of a text that "dBm" follows; NaN for anything else. */
export function readDecibelsInText(raw: RawColumn, row: number): number {
  return Number.isNaN(readNumber(raw, row)) ? readText(raw, row, firstDecibels) : Number.NaN;
}

/** As `readNumber`; of a text, its first decimal number that a percent sign follows. */
export function readPercentInText(raw: RawColumn, row: number): number {
  return readText(raw, row, firstPercent);
}

/** As `readNumber`; of a text, its first decimal number after the last colon. */
export function readNumberAfterColon(raw: RawColumn, row: number): number {
  return readText(raw, row, numberAfterColon);
}

const numberAfterColon = /:[^:\d+.-]*([+-]?(?:\d+(?:[.,]\d+)?|\.\d+))[^:]*$/;
const firstNumber = /([+-]?(?:\d+(?:[.,]\d+)?|\.\d+))/;
const firstDecibels = /([+-]?(?:\d+(?:[.,]\d+)?|\.\d+)) ?dBm/i;
const firstPercent = /([+-]?(?:\d+(?:[.,]\d+)?|\.\d+)) ?%/;

function readText(raw: RawColumn, row: number, pattern: RegExp): number {
  const value = readNumber(raw, row);
  if (!Number.isNaN(value) || raw.tags[row] !== rawTag.octetString) return value;
  const octets = octetsAt(raw, row);
  if (octets === undefined || octets.length === 0) return value;
  const text = String.fromCharCode(...octets.subarray(0, maxText));
  const [, number] = pattern.exec(text) ?? [];
  return number === undefined ? Number.NaN : Number(number.replace(',', '.'));
}

/** A number stands at the beginning of a text. */
const maxText = 128;

/** Whether a value with this tag is its low word: Counter32, Gauge32, TimeTicks, UInteger32. */
export function isWord(tag: number): boolean {
  return (tag >= rawTag.counter32 && tag <= rawTag.timeTicks) || tag === rawTag.uInteger32;
}

/** Whether the words of a value with this tag are two's complement. */
export function isSigned(tag: number | undefined): boolean {
  return tag === rawTag.integer || tag === rawTag.int64;
}

/** Whether the words of a value with this tag are one whole number of 64 bits. */
export function isWide(tag: number | undefined): boolean {
  return isSigned(tag) || tag === rawTag.counter64 || tag === rawTag.opaqueCounter64 || tag === rawTag.uInt64;
}

export function wordAt(octets: Uint8Array, at: number): number {
  return (
    ((octets[at] ?? 0) * 0x1000000 +
      (((octets[at + 1] ?? 0) << 16) | ((octets[at + 2] ?? 0) << 8) | (octets[at + 3] ?? 0))) >>>
    0
  );
}

/** IEEE 754 by arithmetic: without allocation, and independent of the byte order of the machine. */
function singleOf(bits: number): number {
  const sign = bits >>> 31 === 1 ? -1 : 1;
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7fffff;
  if (exponent === 0xff) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -149 : sign * (fraction + 2 ** 23) * 2 ** (exponent - 150);
}

function doubleOf(low: number, high: number): number {
  const sign = high >>> 31 === 1 ? -1 : 1;
  const exponent = (high >>> 20) & 0x7ff;
  const fraction = (high & 0xfffff) * two32 + low;
  if (exponent === 0x7ff) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -1074 : sign * (fraction + 2 ** 52) * 2 ** (exponent - 1075);
}

/** Many agents send the text "21.5" for a number. */
function spelledNumber(octets: Uint8Array | undefined): number {
  if (octets === undefined || octets.length === 0 || octets.length > 32) return Number.NaN;
  const text = String.fromCharCode(...octets).trim();
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
