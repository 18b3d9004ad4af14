/** A number as people read it, and its unit: `12.3`, `Mbit/s`. */
export interface NumberText {
  readonly number: string;
  readonly unit: string;
}

const large = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const small = ['', 'm', 'µ', 'n', 'p'];

/** Units that take prefixes. A prefix before `%` or `°C` would be nonsense. */
const prefixed = new Set(['bit/s', 'B/s', 'Hz', 'W', 'VA', 'var', 'V', 'A', 'J', 'Pa', 'm', 'm³/s']);
/** Of them, those that have no small ones: `mbit/s` would be read as `Mbit/s`. */
const neverSmall = new Set(['bit/s', 'B/s']);
/** Counts below it are shown to the last one. */
const maxWhole = 100_000;

/** Whole things, of which there are no thousandths. */
const counted = new Set(['', '1', 'packets', 'packets/s', 'ticks', 'ticks/s', '1/s', '/s']);

/** Writes a number with three or four significant digits and an SI prefix; bytes with a binary one. */
export function formatNumber(value: number, unit = ''): NumberText {
  if (!Number.isFinite(value)) return { number: String(value), unit };
  if (unit === 'ms') return formatDuration(value);
  if (unit === 's') return formatDuration(value * 1000);
  if (unit === 'B') return scale(value, 1024, binary, 'B');
  const shownUnit = unit === '1' ? '' : unit === '1/s' ? '/s' : unit;
  if (shownUnit === '' && Number.isInteger(value) && Math.abs(value) < maxWhole) {
    return { number: value.toLocaleString('en').replace('-', '−'), unit: '' };
  }
  if (counted.has(unit) || prefixed.has(unit)) {
    const size = Math.abs(value);
    if (size < 1 && size > 0 && prefixed.has(unit) && !neverSmall.has(unit))
      return scaleDown(value, shownUnit);
    return scale(value, 1000, large, shownUnit);
  }
  return { number: digits(value), unit: shownUnit };
}

/** The same in one text. */
export function showNumber(value: number, unit?: string): string {
  const text = formatNumber(value, unit);
  const space = text.unit === '' || text.unit.startsWith('/') ? '' : ' ';
  return `${text.number}${space}${text.unit}`;
}

/** By how much a number rises or falls, with its share: `+2.5 (+6 %)`. Empty when both are shown alike. */
export function describeShift(before: number, after: number): string {
  if (showNumber(before) === showNumber(after)) return '';
  const signed = (value: number, unit?: string) => `${value > 0 ? '+' : ''}${showNumber(value, unit)}`;
  const share = before === 0 ? '' : ` (${signed(Math.round((100 * (after - before)) / before), '%')})`;
  return signed(after - before) + share;
}

/** Milliseconds as `4 ms`, `1.5 s`, `3 min 20 s`, `12 d 4 h`. */
function formatDuration(ms: number): NumberText {
  const size = Math.abs(ms);
  if (size < 0.001) return { number: digits(ms), unit: 'ms' };
  if (size < 1) return { number: digits(ms * 1000), unit: 'µs' };
  if (size < 1000) return { number: digits(ms), unit: 'ms' };
  if (size < 60_000) return { number: digits(ms / 1000), unit: 's' };
  const sign = ms < 0 ? '−' : '';
  const seconds = Math.round(size / 1000);
  const [largest, next, unit, nextUnit] =
    seconds < 3600
      ? [Math.floor(seconds / 60), seconds % 60, 'min', 's']
      : seconds < 86_400
        ? [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), 'h', 'min']
        : [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600), 'd', 'h'];
  const rest = next === 0 ? '' : ` ${next} ${nextUnit}`;
  return { number: `${sign}${largest}`, unit: `${unit}${rest}` };
}

function scale(value: number, base: number, prefixes: readonly string[], unit: string): NumberText {
  let [shown, i] = [value, 0];
  // 999.96 would be written as 1000.
  while (Math.abs(shown) >= base * 0.9995 && i < prefixes.length - 1) {
    shown /= base;
    i++;
  }
  return { number: digits(shown), unit: prefixes[i]! + unit };
}

function scaleDown(value: number, unit: string): NumberText {
  let [shown, i] = [value, 0];
  while (Math.abs(shown) < 0.9995 && i < small.length - 1) {
    shown *= 1000;
    i++;
  }
  return { number: digits(shown), unit: small[i]! + unit };
}

function digits(value: number): string {
  const size = Math.abs(value);
  const decimals = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  const text = decimals === 0 ? String(Math.round(value)) : String(Number(value.toFixed(decimals)));
  return text.replace('-', '−');
}
