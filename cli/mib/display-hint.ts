import { isUtf8 } from 'node:buffer';

/** One part of a DISPLAY-HINT for octets (RFC 2579, 3.1). */
interface Part {
  /** Whether the first octet says how often the part comes. */
  readonly repeats: boolean;
  readonly length: number;
  readonly format: string;
  readonly separator: string;
  readonly terminator: string;
}

/** The text of octets. Undefined where the hint is none, and where the octets are not what it describes. */
export function applyOctetHint(hint: string, octets: Buffer): string | undefined {
  const parts = parseOctetHint(hint);
  // The last part comes again and again, so it must take octets.
  if (parts === undefined || parts.at(-1)!.length === 0) return undefined;
  let text = '';
  for (let at = 0, place = 0; at < octets.length; place++) {
    const part = parts[Math.min(place, parts.length - 1)]!;
    const times = part.repeats ? octets[at++]! : 1;
    for (let time = 1; time <= times && (at < octets.length || part.length === 0); time++) {
      const formatted = formatOne(part, octets.subarray(at, at + part.length));
      if (formatted === undefined) return undefined;
      at += part.length;
      const isTerminated = part.terminator !== '' && time === times;
      text += formatted + (at < octets.length && !isTerminated ? part.separator : '');
    }
    if (at < octets.length) text += part.terminator;
  }
  return text;
}

/** The text of a number: `d-2` puts a point before its last two digits. Undefined where the hint is none. */
export function applyNumberHint(hint: string, value: number | bigint): string | undefined {
  const radix = radixes.get(hint);
  if (radix !== undefined) return value.toString(radix);
  const decimals = /^d(?:-(\d{1,2}))?$/.exec(hint);
  if (decimals === null) return undefined;
  return placePoint(value, Number(decimals[1] ?? 0));
}

const radixes: ReadonlyMap<string, number> = new Map([
  ['x', 16],
  ['o', 8],
  ['b', 2],
]);

function placePoint(value: number | bigint, decimals: number): string {
  if (decimals === 0) return String(value);
  const sign = value < 0 ? '-' : '';
  const digits = String(value)
    .replace('-', '')
    .padStart(decimals + 1, '0');
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function parseOctetHint(hint: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  const pattern = /(\*?)(\d{1,5})([xdoat])([^\d*]?)([^\d*]?)/y;
  for (let match = pattern.exec(hint); match !== null; match = pattern.exec(hint)) {
    const [, star, length, format, separator, second] = match as unknown as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    // Only a part that repeats has a terminator.
    if (star === '' && second !== '') return undefined;
    parts.push({ repeats: star !== '', length: Number(length), format, separator, terminator: second });
    if (pattern.lastIndex === hint.length) return parts;
  }
  return undefined;
}

function formatOne({ length, format }: Part, octets: Buffer): string | undefined {
  if (format === 'a')
    return /^[\t-\r -~]*$/.test(octets.toString('latin1')) ? octets.toString('latin1') : undefined;
  if (format === 't') return isUtf8(octets) ? octets.toString() : undefined;
  // A number that is cut off has another value.
  if (octets.length < length) return undefined;
  if (length === 0) return '';
  const hex = octets.toString('hex');
  return format === 'x' ? hex : BigInt(`0x${hex}`).toString(format === 'o' ? 8 : 10);
}
