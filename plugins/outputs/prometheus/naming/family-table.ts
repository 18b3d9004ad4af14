import { nameText } from './name-text.ts';
import { unitName } from './unit-names.ts';

export type FamilyKind = 'counter' | 'gauge' | 'info' | 'stateset';

/** All series of one name. */
export interface Family {
  /** Without the `_total` and `_info` of its samples. */
  readonly name: string;
  /** The name that its samples have. */
  readonly sampleName: string;
  readonly kind: FamilyKind;
  /** Empty where the name does not end in one. */
  readonly unit: string;
  /** Which field or object it comes from. */
  readonly help: string;
  /** The states of a state set that were seen so far. */
  readonly states: Set<string>;
}

/** The names of all families: the same field has the same name as long as the collector runs. */
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

/** A family takes its own name and those of its samples. */
function sampleNames(name: string, kind: FamilyKind): string[] {
  if (kind === 'counter') return [name, `${name}_total`, `${name}_created`];
  return kind === 'info' ? [name, `${name}_info`] : [name];
}
