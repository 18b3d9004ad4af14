/** How a number with a unit is decoded. */
export interface UnitSyntax {
  readonly syntax: string;
  /** Where the syntax does not say it. */
  readonly unit?: string;
  readonly scale?: { readonly factor?: number; readonly offset?: number };
}

/** Each multiplies the unit behind it, which may have a prefix of its own: tenths of kilowatts. */
const fractions = [
  [/tenths?|\b1\/10\b(?!0)|\/ ?10\b(?!0)/, -1],
  [/hundred?ths?|\b1\/100\b|\/ ?100\b(?!0)/, -2],
  [/thousand?ths?|\b1\/1000\b/, -3],
  [/\bhundreds\b/, 2],
] as const;

/** `0.001` and `.001`. */
const decimalFraction = /(?<![\d.])0?\.(0*)1\b/;

const prefixes = [
  [/deci(?!bel|mal)/, -1],
  [/centi(?!g)/, -2],
  [/milli|\bm(?:v|a|w)\b|\bms(?:ecs?)?\b/, -3],
  [/micro|\bus(?:ecs?)?\b/, -6],
  [/nano|\bns(?:ecs?)?\b/, -9],
  [/kilo|\bk(?=[vw]\b)|\bkhz/, 3],
  [/mega|\bmhz/, 6],
  [/giga|\bghz/, 9],
] as const;

const powers = {
  '-1': 'Deci',
  '-2': 'Centi',
  '-3': 'Milli',
  '-6': 'Micro',
  '-9': 'Nano',
  '0': '',
  '3': 'Kilo',
  '6': 'Mega',
  '9': 'Giga',
} as const;

type Power = (typeof powers)[keyof typeof powers];

interface Family {
  readonly pattern: RegExp;
  readonly syntax: (power: Power) => string;
  readonly allowed: readonly Power[];
}

const small: readonly Power[] = ['', 'Deci', 'Centi', 'Milli'];
const toNano: readonly Power[] = [...small, 'Micro', 'Nano'];

/** The first that fits counts: a watt-hour is no watt. */
const families: readonly Family[] = [
  family(/celsius|centigrade|\bdeg(?:ree)?s?\.? ?c\b|°c/, 'Temperature', 'C', small),
  family(/\bdbm\b/, 'Signal', 'DBm', small),
  family(/volts?\b(?!.{0,3}amp)|\b[mk]?v(?:ac|dc|rms)?\b/, 'Voltage', 'Volt', [...toNano, 'Kilo']),
  family(
    /(?<!volts?.{0,2})(?:\bm?|milli|micro|nano|kilo)amp(?:ere)?s?\b(?!.{0,3}hour)|\bma\b|rms amps/,
    'Current',
    'Amp',
    [...toNano, 'Kilo'],
  ),
  family(/watts?\b(?!.{0,3}h)|\b[mk]?w\b/, 'Power', 'Watt', [...toNano, 'Kilo', 'Mega', 'Giga']),
  {
    pattern: /hertz|\b[kmg]?hz\b/,
    allowed: [...small, 'Kilo', 'Mega', 'Giga'],
    syntax: (power) => `Freq${{ Kilo: 'K', Mega: 'M', Giga: 'G' }[power as string] ?? power}Hz`,
  },
  {
    pattern: /percent|%|\bpct\b/,
    allowed: small,
    syntax: (power) => `Percent${power}100`,
  },
  { pattern: /\bdb\b|decibel/, allowed: [''], syntax: () => 'Decibel' },
  {
    pattern: /seconds?\b|\bsecs?\b|^s$|\b[mun]?s(?:ecs?)?$/,
    allowed: toNano,
    syntax: (power) => `Ticks${power}Sec`,
  },
  family(/(?:\b|milli|micro|nano|kilo)met(?:er|re)s?\b/, 'Length', 'Meter', [...toNano, 'Kilo']),
];

function family(pattern: RegExp, name: string, unit: string, allowed: readonly Power[]): Family {
  return { pattern, allowed, syntax: (power) => `${name}${power}${unit}` };
}

const rates: readonly (readonly [RegExp, string])[] = [
  [/^(?:kbps|kb\/s|kbit\/s|kilo[- ]?bits?)/, 'BandwidthKBits'],
  [/^(?:mbps|mb\/s|mbit\/s|mega[- ]?bits?)/, 'BandwidthMBits'],
  [/^(?:gbps|gbit\/s|giga[- ]?bits?)/, 'BandwidthGBits'],
  [/^(?:bps|bits?(?:\/| per )s)/, 'BandwidthBits'],
  [/^(?:kilo[- ]?(?:byte|octet)s?|kbytes?)(?:\/| per )s/, 'BandwidthKBytes'],
  [/^(?:byte|octet)s?(?:\/| per )s/, 'BandwidthBytes'],
];

/** Managers count memory and disks in powers of 1024. */
const sizes: readonly (readonly [RegExp, string])[] = [
  [/^(?:kilo[- ]?(?:byte|octet)s?|k[- ]?bytes?|kb|kib|1024 bytes)\b/, 'BytesKiB'],
  [/^(?:mega[- ]?(?:byte|octet)s?|m[- ]?bytes?|mb|mib)\b/, 'BytesMiB'],
  [/^(?:giga[- ]?(?:byte|octet)s?|g[- ]?bytes?|gb|gib)\b/, 'BytesGiB'],
  [/^(?:tera[- ]?(?:byte|octet)s?|t[- ]?bytes?|tb|tib)\b/, 'BytesTiB'],
  [/^(?:bytes?|octets?)\b/, 'BytesB'],
];

/** The syntax for the text of UNITS, and for the decimals of DISPLAY-HINT. Undefined for a unit without a syntax. */
export function syntaxOfUnit(units: string, decimals = 0): UnitSyntax | undefined {
  const text = units
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/\bM(?=(?:V|W|Wh)\b)/g, 'mega ')
    .toLowerCase()
    .slice(0, 200)
    .replace(/(?<=\bdbm\b.*)milli-?watts?|milli-?watts?(?=.*\bdbm\b)/g, '');
  const size = find(rates, text) ?? find(sizes, text);
  if (size !== undefined)
    return { syntax: size, ...(decimals === 0 ? {} : { scale: { factor: Number(`1e-${decimals}`) } }) };
  if (/fahrenheit|\bdeg(?:ree)?s? ?f\b|°f/.test(text)) {
    const factor = (5 / 9) * 10 ** exponentOf(text, 0);
    return { syntax: 'TemperatureC', scale: { factor: Number(factor.toFixed(8)), offset: -17.77777778 } };
  }
  const [, part, long] =
    /^(?:(tenths?|hundred?ths?) of )?(?:an? )?(minute|min|hour|hr|day)s?\b/.exec(text) ?? [];
  if (long !== undefined) {
    const minutes = { min: 1, hou: 60, hr: 60, day: 1440 }[long.slice(0, 3)]!;
    const factor = part === undefined ? minutes : minutes / (part.startsWith('t') ? 10 : 100);
    return { syntax: 'TicksMin', ...(factor === 1 ? {} : { scale: { factor } }) };
  }
  if (/(?:\/| per )/.test(text.replace(/1\/1\d+/, ''))) return undefined;
  if (/watt.{0,3}h|\b[km]?wh\b/.test(text)) {
    const factor = Number((3600 * 10 ** exponentOf(text.replace('kwh', 'kilo'), 0)).toPrecision(6));
    return { syntax: 'EnergyJoule', scale: { factor } };
  }
  const fitting = families.find(({ pattern }) => pattern.test(text));
  if (fitting === undefined) return undefined;
  const exponent = exponentOf(text, decimals);
  const power = (powers as Readonly<Record<string, Power>>)[exponent];
  if (power !== undefined && fitting.allowed.includes(power)) return { syntax: fitting.syntax(power) };
  return { syntax: fitting.syntax(''), scale: { factor: Number(`1e${exponent}`) } };
}

function find(list: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return list.find(([pattern]) => pattern.test(text))?.[1];
}

/** The power of ten. The decimals of a hint say again what a small unit says. */
function exponentOf(text: string, decimals: number): number {
  const [, zeros] = decimalFraction.exec(text) ?? [];
  const fraction =
    zeros === undefined ? (fractions.find(([pattern]) => pattern.test(text))?.[1] ?? 0) : -1 - zeros.length;
  const prefix = prefixes.find(([pattern]) => pattern.test(text))?.[1] ?? 0;
  return prefix + (fraction === 0 && prefix >= 0 ? -decimals : fraction);
}
