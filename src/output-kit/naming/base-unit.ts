import { isUnitAccepted } from './metric-name.ts';
import { nameText } from './name-text.ts';

/** A unit as Prometheus names it, and how a value of the definition's unit becomes one of it: times `times`, divided by `over`. */
export interface BaseUnit {
  /** Empty where the name says nothing about a unit. */
  readonly name: string;
  readonly times: number;
  readonly over: number;
}

type Entry = readonly [name: string, times?: number, over?: number];

/** https://prometheus.io/docs/practices/naming/#base-units. One of the two numbers is 1, so that a value is rounded once. */
const baseUnits: Readonly<Record<string, Entry>> = {
  '1': [''],
  B: ['bytes'],
  bit: ['bytes', 1, 8],
  h: ['seconds', 3_600],
  min: ['seconds', 60],
  s: ['seconds'],
  cs: ['seconds', 1, 100],
  ms: ['seconds', 1, 1e3],
  us: ['seconds', 1, 1e6],
  ns: ['seconds', 1, 1e9],
  '%': ['ratio', 1, 100],
  '°C': ['celsius'],
  V: ['volts'],
  VA: ['volt_amperes'],
  var: ['volt_amperes_reactive'],
  Pa: ['pascals'],
  'm³': ['cubic_meters'],
  'ps/nm': ['picoseconds_per_nanometer'],
  A: ['amperes'],
  W: ['watts'],
  J: ['joules'],
  Wh: ['joules', 3_600],
  '100Wh': ['joules', 360_000],
  Hz: ['hertz'],
  m: ['meters'],
  dBm: ['dbm'],
  dBmV: ['dbmv'],
  dB: ['decibels'],
};

export function findBaseUnit(unit: string | undefined): BaseUnit {
  if (unit === undefined) return { name: '', times: 1, over: 1 };
  const known = baseUnits[unit];
  if (known !== undefined) return { name: known[0], times: known[1] ?? 1, over: known[2] ?? 1 };
  if (!unit.endsWith('/s')) {
    const name = nameText(unit);
    return { name: isUnitAccepted(name) ? name : '', times: 1, over: 1 };
  }
  const counted = findBaseUnit(unit.slice(0, -'/s'.length));
  return { ...counted, name: `${counted.name}_per_second`.replace(/^_/, '') };
}
