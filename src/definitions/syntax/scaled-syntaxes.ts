import type { Dimension, Scale, Syntax } from './syntax.ts';

type Step = readonly [name: string, times: number, over?: number];

const powers = {
  G: 9,
  M: 6,
  K: 3,
  Giga: 9,
  Mega: 6,
  Kilo: 3,
  '': 0,
  Deci: -1,
  Centi: -2,
  Milli: -3,
  Micro: -6,
  Nano: -9,
};
const toNano = ['', 'Deci', 'Centi', 'Milli', 'Micro', 'Nano'];

/** Syntaxes that convert a number to the base unit of its family. */
export const scaledSyntaxes: readonly Syntax[] = [
  ...scaled('Bytes', 'B', [
    ['BytesB', 1],
    ['BytesB4', 4],
    ...thousands('Bytes', 'KB', 'MB', 'GB', 'TB'),
    ['BytesKiB', 2 ** 10],
    ['BytesMiB', 2 ** 20],
    ['BytesGiB', 2 ** 30],
    ['BytesTiB', 2 ** 40],
  ]),
  ...scaled('Bandwidth', 'bit/s', [
    ['BandwidthBits', 1],
    ...thousands('Bandwidth', 'KBits', 'MBits', 'GBits', 'TBits'),
    ['BandwidthBytes', 8],
    ...thousands('Bandwidth', 'KBytes', 'MBytes', 'GBytes', 'TBytes').map(eightfold),
  ]),
  ...scaled('Ticks', 'ms', [['TicksMin', 60_000], ...seconds('Ticks')], 'duration'),
  ...scaled(
    'OpTicks',
    'ms',
    [
      ...seconds('OpTicks'),
      ['OpTicksHundredMicroSec', 1, 10],
      ['OpTicksTenMicroSec', 1, 100],
      ['OpTicksHundredNanoSec', 1, 1e4],
      ['OpTicksTenNanoSec', 1, 1e5],
      ['OpTicksHundredPicoSec', 1, 1e7],
      ['OpTicksTenPicoSec', 1, 1e8],
      ['OpTicksPicoSec', 1, 1e9],
    ],
    'duration',
  ),
  ...scaled('Epoch', 'ms', seconds('Epoch'), 'timestamp'),
  ...scaled(
    'Percent1',
    '%',
    [
      ['Percent1', 100],
      ['PercentDeci1', 10],
      ['PercentCenti1', 1],
      ['PercentMilli1', 1, 10],
    ],
    'percent',
  ),
  ...scaled(
    'Percent100',
    '%',
    [
      ['Percent100', 1],
      ['PercentDeci100', 1, 10],
      ['PercentCenti100', 1, 100],
      ['PercentMilli100', 1, 1000],
    ],
    'percent',
  ),
  ...scaled('Temperature', '°C', prefixed('Temperature', 'C', ['', 'Deci', 'Centi', 'Milli'])),
  fahrenheit('TemperatureF', 1),
  fahrenheit('TemperatureDeciF', 10),
  ...scaled('Voltage', 'V', prefixed('Voltage', 'Volt', ['Kilo', ...toNano])),
  ...scaled('Current', 'A', prefixed('Current', 'Amp', ['Kilo', ...toNano])),
  ...scaled('Power', 'W', prefixed('Power', 'Watt', ['Giga', 'Mega', 'Kilo', ...toNano])),
  ...scaled('Energy', 'J', prefixed('Energy', 'Joule', ['Giga', 'Mega', 'Kilo', ...toNano])),
  ...scaled('Freq', 'Hz', prefixed('Freq', 'Hz', ['G', 'M', 'K', '', 'Deci', 'Centi', 'Milli'])),
  ...scaled('Length', 'm', prefixed('Length', 'Meter', ['Kilo', ...toNano])),
  ...scaled('Wavelength', 'm', prefixed('Wavelength', 'Meter', ['Kilo', ...toNano])),
  ...scaled('Signal', 'dBm', prefixed('Signal', 'DBm', ['', 'Deci', 'Centi', 'Milli'])),
  opticalPower('SignalMilliWatt', 1, 'Milliwatts'),
  opticalPower('SignalMicroWatt', 1000, 'Microwatts'),
  opticalPower('SignalDeciMicroWatt', 10_000, 'Tenths of microwatts'),
  opticalPower('SignalNanoWatt', 1_000_000, 'Nanowatts'),
  ...scaled('Decibel', 'dB', [['Decibel', 1]]),
  ...scaled('Rate', '/s', [
    ['RateMin', 1, 60],
    ['RateSec', 1],
    ['RateDeciSec', 10],
    ['RateCentiSec', 100],
    ['RateMilliSec', 1e3],
    ['RateMicroSec', 1e6],
    ['RateNanoSec', 1e9],
  ]),
];

function thousands(family: string, ...names: readonly string[]): Step[] {
  return names.map((name, power) => [family + name, 1000 ** (power + 1)]);
}

function eightfold([name, times]: Step): Step {
  return [name, 8 * times];
}

/** To milliseconds. */
function seconds(family: string): Step[] {
  return [
    [`${family}Sec`, 1000],
    [`${family}DeciSec`, 100],
    [`${family}CentiSec`, 10],
    [`${family}MilliSec`, 1],
    [`${family}MicroSec`, 1, 1000],
    [`${family}NanoSec`, 1, 1e6],
  ];
}

function prefixed(family: string, unit: string, prefixes: readonly string[]): Step[] {
  return prefixes.map((prefix) => {
    const power = powers[prefix as keyof typeof powers];
    return [family + prefix + unit, 10 ** Math.max(power, 0), 10 ** Math.max(-power, 0)];
  });
}

function scaled(family: string, unit: string, steps: readonly Step[], dimension?: Dimension): Syntax[] {
  const isBytes = family === 'Bytes';
  return steps.map(([name, times, over = 1]) => ({
    name,
    family,
    input: isBytes
      ? 'a number that is not negative'
      : 'any number, a float, or octets that spell a decimal number',
    kind: isBytes ? 'counter' : 'number',
    reading: isBytes ? 'counter' : 'number',
    scale: { times, over },
    suffix: '',
    unit,
    ...(dimension === undefined ? {} : { dimension }),
    description: describe(family, { times, over }, unit),
    example: ['250', String((250 * times) / over)],
  }));
}

/** Degrees Fahrenheit above the freezing point, divided by 1.8, are degrees Celsius. */
function fahrenheit(name: string, parts: number): Syntax {
  return {
    name,
    family: 'Temperature',
    input: 'any number, a float, or octets that spell a decimal number',
    kind: 'number',
    reading: 'fahrenheit',
    scale: { times: 1, over: parts === 1 ? 1.8 : 18 },
    suffix: '',
    unit: '°C',
    description: parts === 1 ? 'Degrees Fahrenheit, in °C.' : 'Tenths of degrees Fahrenheit, in °C.',
    example: [String(77 * parts), '25'],
  };
}

/** Ten times the logarithm of milliwatts is dBm. */
function opticalPower(name: string, over: number, what: string): Syntax {
  return {
    name,
    family: 'Signal',
    input: 'any number, a float, or text that contains a number',
    kind: 'number',
    reading: 'milliwatts',
    scale: { times: 1, over },
    suffix: '',
    unit: 'dBm',
    description: `${what}, in dBm; a text such as "0.03 mW (-14.61 dBm)" says that itself. 0 is no light: the value is absent.`,
    example: [String(10 * over), '10'],
  };
}

function describe(family: string, { times, over }: Scale, unit: string): string {
  const by = over === 1 ? `× ${times}` : `÷ ${over}`;
  const what = family === 'Epoch' ? `${unit} since 1970` : unit;
  return times === over ? `${what}, not scaled.` : `${by} gives ${what}.`;
}
