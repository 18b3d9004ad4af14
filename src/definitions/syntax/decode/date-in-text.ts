import { gapCode } from '../../../model/gap.ts';
import type { Scale } from '../syntax.ts';
import { daysIn } from './date-and-time.ts';
import { decodeOctets } from './octet-text.ts';
import { octetsAt, type RawColumn } from './raw-column.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `2024-02-29`, `2024/2/29`. */
const isoDate = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
/** `Feb 29, 2024`, `Feb 29 13:30:15 2024`; the time is taken out before. */
const monthFirst = /(?<![a-z])([a-z]{3,9})\.? {0,3}(\d{1,2})(?:st|nd|rd|th)?,? [^\d]{0,20}(\d{4})(?!\d)/i;
/** `29 Feb 2024`, `29-Feb-2024`. */
const dayFirst = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[- ]{1,3}([a-z]{3,9})\.?,?[- ]{1,3}(\d{4})(?!\d)/i;
const clockTime = /(?<!\d)T?(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?: ?([ap])m(?![a-z]))?/i;
const offset = /^ ?(?:(Z|UTC|GMT)(?![a-z])|([+-])(\d\d):?(\d\d)(?!\d))/i;

/** More than any date has. */
const maxText = 64;

/** ISO 8601, with the offset if the text has one. Undefined for texts without a date. */
export function readDateInText(given: string): string | undefined {
  const text = given.slice(0, maxText);
  const time = clockTime.exec(text);
  const after = time === null ? '' : text.slice(time.index + time[0].length);
  const zone = offset.exec(after);
  const rest =
    time === null
      ? text
      : `${text.slice(0, time.index)} ${zone === null ? after : after.slice(zone[0].length)}`;
  const date = dateIn(rest);
  const clock = time === null ? '00:00:00' : clockOf(time);
  if (date === undefined || clock === undefined) return undefined;
  const [, utc, sign, hours, minutes] = zone ?? [];
  return `${date}T${clock}${utc === undefined ? '' : 'Z'}${sign === undefined ? '' : `${sign}${hours}:${minutes}`}`;
}

/** Dates in texts to milliseconds since 1970, or parts of them. A text without digits says that there is none. */
export function scaleDatesInText(
  raw: RawColumn,
  { times, over }: Scale,
  out: Float64Array,
  gaps: Uint8Array,
): void {
  for (let row = 0; row < raw.count; row++) {
    if (gaps[row] !== 0) continue;
    const octets = octetsAt(raw, row);
    const text = octets === undefined ? '' : decodeOctets(octets);
    const date = readDateInText(text);
    // Not every text of the form is a time: offsets end at 14 hours, and only some minutes have 61 seconds.
    const epoch = date === undefined ? Number.NaN : epochOf(date);
    if (Number.isFinite(epoch)) out[row] = (epoch * times) / over;
    else gaps[row] = octets === undefined || /\d/.test(text) ? decodeGap : absentGap;
  }
}

function epochOf(date: string): number {
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(date) ? date : `${date}Z`);
}

const decodeGap = gapCode('decode');
const absentGap = gapCode('absent');

function dateIn(text: string): string | undefined {
  const iso = isoDate.exec(text);
  if (iso !== null) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const english = monthFirst.exec(text);
  const month = english === null ? 0 : monthOf(english[1]!);
  if (english !== null && month > 0) return dateOf(Number(english[3]), month, Number(english[2]));
  const other = dayFirst.exec(text);
  return other === null ? undefined : dateOf(Number(other[3]), monthOf(other[2]!), Number(other[1]));
}

/** 0 for a word that is no month. */
function monthOf(word: string): number {
  return months.indexOf(word.slice(0, 3).toLowerCase()) + 1;
}

function dateOf(year: number, month: number, day: number): string | undefined {
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return isDate ? `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}` : undefined;
}

function clockOf([, hourText, minuteText, secondText = '0', half]: RegExpExecArray): string | undefined {
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (minute > 59 || second > 60 || hour > (half === undefined ? 23 : 12)) return undefined;
  const hours = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${two(hours)}:${two(minute)}:${two(second)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
