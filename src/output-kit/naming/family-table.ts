import { nameText } from './name-text.ts';

export type FamilyKind = 'counter' | 'gauge' | 'info' | 'stateset';

/** A metric family: all series of one name. */
export interface Family {
  /** The name without the suffix `_total` or `_info` of its samples. */
  readonly name: string;
  /** The name of its samples. */
  readonly sampleName: string;
  readonly kind: FamilyKind;
  /** Empty where the name does not end in a unit. */
  readonly unit: string;
  /** The HELP text: the field or object that the family comes from. */
  readonly help: string;
  /** The states of a state set seen so far. */
  readonly states: Set<string>;
}

/** Names metric families in the style of Prometheus. A field keeps its name while the collector runs. */
export class FamilyTable {
  readonly #prefix: string;
  readonly #families = new Map<string, Family>();
  readonly #taken = new Set<string>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  getFamily(source: string, kind: FamilyKind, unit?: string): Family {
    const key = `${kind}\n${unit ?? ''}\n${source}`;
    let family = this.#families.get(key);
    if (family === undefined) {
      family = this.#makeFamily(source, kind, unitName(unit));
      this.#families.set(key, family);
    }
    return family;
  }

  list(): Family[] {
    return [...this.#families.values()];
  }

  #makeFamily(source: string, kind: FamilyKind, unit: string): Family {
    let name = this.#prefix + nameText(source).replace(/_(total|info|created)$/, '');
    if (/^[0-9]/.test(name)) name = `_${name}`;
    if (unit !== '' && !`_${name}_`.includes(`_${unit}_`)) name += `_${unit}`;
    const isTaken = (candidate: string) => sampleNames(candidate, kind).some((each) => this.#taken.has(each));
    if (isTaken(name)) name += `_${kind}`;
    const base = name;
    for (let number = 2; isTaken(name); number++) name = `${base}_${number}`;
    for (const each of sampleNames(name, kind)) this.#taken.add(each);
    return {
      name,
      sampleName: sampleName(name, kind),
      kind,
      unit: name.endsWith(`_${unit}`) ? unit : '',
      help: kind === 'info' ? `Texts of ${source}.` : `${source} of the device.`,
      states: new Set(),
    };
  }
}

function sampleName(name: string, kind: FamilyKind): string {
  if (kind === 'counter') return `${name}_total`;
  return kind === 'info' ? `${name}_info` : name;
}

/** The names that a family occupies: its own and those of its samples. */
function sampleNames(name: string, kind: FamilyKind): string[] {
  if (kind === 'counter') return [name, `${name}_total`, `${name}_created`];
  return kind === 'info' ? [name, `${name}_info`] : [name];
}

/** Units as OpenMetrics spells them. Values keep the unit that the definition gives them. */
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

/** The unit as a part of a name. Empty where there is none. */
function unitName(unit: string | undefined): string {
  if (unit === undefined) return '';
  const known = unitNames[unit];
  if (known !== undefined) return known;
  return unit.endsWith('/s') ? `${unitName(unit.slice(0, -2))}_per_second`.replace(/^_/, '') : nameText(unit);
}
