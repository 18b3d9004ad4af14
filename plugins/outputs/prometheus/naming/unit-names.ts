import { nameText } from './name-text.ts';

/** Units as OpenMetrics spells them. Values stay in the unit that the definition gives them. */
const unitNames: Readonly<Record<string, string>> = {
  '1': '',
  B: 'bytes',
  'bit/s': 'bits_per_second',
  ms: 'milliseconds',
  cs: 'centiseconds',
  s: 'seconds',
  '%': 'percent',
  '°C': 'celsius',
  V: 'volts',
  VA: 'volt_amperes',
  A: 'amperes',
  W: 'watts',
  J: 'joules',
  Hz: 'hertz',
  m: 'meters',
  dBm: 'dbm',
  dB: 'decibels',
};

/** The unit for a name; empty where there is none. */
export function unitName(unit: string | undefined): string {
  if (unit === undefined) return '';
  const known = unitNames[unit];
  if (known !== undefined) return known;
  return unit.endsWith('/s') ? `${unitName(unit.slice(0, -2))}_per_second`.replace(/^_/, '') : nameText(unit);
}
