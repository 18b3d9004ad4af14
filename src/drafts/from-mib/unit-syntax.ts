/** How a number with a unit is decoded. */
export interface UnitSyntax {
  readonly syntax: string;
  /** Where the syntax does not say it. */
  readonly unit?: string;
  readonly scale?: { readonly factor?: number; readonly offset?: number };
}

const powers = [
  [/tenths?|deci|\b0?\.1\b|\b1\/10\b|\/ ?10\b(?!0)/, 'Deci', -1],
  [/hundred?ths?|centi(?!g)|\b0?\.01\b|\b1\/100\b|\/ ?100\b(?!0)/, 'Centi', -2],
  [/thousand?ths?|milli|\b0?\.001\b|\b1\/1000\b|\bm(?:v|a|w)\b|\bms(?:ecs?)?\b/, 'Milli', -3],
  [/micro|\bus(?:ecs?)?\b/, 'Micro', -6],
  [/nano|\bns(?:ecs?)?\b/, 'Nano', -9],
  [/kilo|\bk(?=[vw]\b)|\bkhz/, 'Kilo', 3],
  [/mega|\bmhz/, 'Mega', 6],
  [/giga|\bghz/, 'Giga', 9],
] as const;

type Power = (typeof powers)[number][1] | '';

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
    .slice(0, 200);
  const size = find(rates, text) ?? find(sizes, text);
  if (size !== undefined) return { syntax: size };
  if (/fahrenheit|\bdeg(?:ree)?s? ?f\b|°f/.test(text)) {
    const factor = (5 / 9) * (powerOf(text) === 'Deci' ? 0.1 : 1);
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
    const factor =
      3600 *
      10 ** (powerOf(text.replace('kwh', 'kilo')) === 'Kilo' ? 3 : 0) *
      (powerOf(text) === 'Deci' ? 0.1 : 1);
    return { syntax: 'EnergyJoule', scale: { factor } };
  }
  const fitting = families.find(({ pattern }) => pattern.test(text));
  if (fitting === undefined) return undefined;
  const written = powerOf(text);
  const power =
    written === '' ? (powers.find(([, , exponent]) => exponent === -decimals)?.[1] ?? '') : written;
  if (fitting.allowed.includes(power)) return { syntax: fitting.syntax(power) };
  const exponent = powers.find(([, name]) => name === power)![2];
  return { syntax: fitting.syntax(''), scale: { factor: Number(`1e${exponent}`) } };
}

function find(list: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return list.find(([pattern]) => pattern.test(text))?.[1];
}

function powerOf(text: string): Power {
  return powers.find(([pattern]) => pattern.test(text))?.[1] ?? '';
}
