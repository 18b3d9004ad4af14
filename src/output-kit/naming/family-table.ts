import type { Column, ColumnFacts } from '../../model/batch.ts';
import { type BaseUnit, findBaseUnit } from './base-unit.ts';
import { metricName } from './metric-name.ts';
import { reserveName, validName } from './name-text.ts';

/** `text`: each text is a label of a series with the value 1. */
export type FamilyKind = 'counter' | 'gauge' | 'info' | 'stateset' | 'text';

/** A metric family: all series of one name. */
export interface Family {
  /** The name without the suffix `_total` or `_info` of its samples. */
  readonly name: string;
  /** The name of its samples. */
  readonly sampleName: string;
  readonly kind: FamilyKind;
  /** Empty where the name does not end in a unit. */
  readonly unit: string;
  /** What becomes of the values of the definition's unit. */
  readonly base: BaseUnit;
  /** The HELP text, from the definition. */
  readonly help: string;
  /** The number of each named state. */
  readonly codes: ReadonlyMap<string, number>;
  /** The states of a state set: those of the definition, and others seen so far. */
  readonly states: Set<string>;
  /** Whether a state that the definition does not name is one only of the row that has it, as in snmp_exporter. */
  readonly hasFixedStates: boolean;
}

export interface NamedColumn {
  readonly family: Family;
  readonly column: Column;
}

/** Names metric families in the style of Prometheus. A field keeps its name while the collector runs. */
export class FamilyTable {
  readonly #prefix: string;
  readonly #families = new Map<string, KnownFamily>();
  readonly #taken = new Set<string>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /**
   * The family of a field, or for `info` of an object. The first facts about it in a generation of definitions stay until a later
   * generation has others.
   */
  getFamily(source: string, kind: FamilyKind, unit?: string, facts?: ColumnFacts, generation = 0): Family {
    const key = `${kind}\n${unit ?? ''}\n${source}`;
    const known = this.#families.get(key);
    if (known !== undefined && generation <= known.generation) return known;
    const named = known ?? this.#nameFamily(source, kind, findBaseUnit(unit));
    return this.#keep(key, Object.assign(named, explain(source, kind, facts), { generation }));
  }

  /** The family with the name of a MIB's attribute. Counters and gauges of that name share one. */
  getMibFamily(attribute: string, kind: FamilyKind, facts?: ColumnFacts, generation = 0): Family {
    const key = `${kind === 'counter' ? 'gauge' : kind}\nmib\n${attribute}`;
    const known = this.#families.get(key);
    if (known !== undefined && generation <= known.generation) return known;
    const named = known ?? this.#takeMibName(attribute, kind);
    return this.#keep(key, Object.assign(named, explain(attribute, kind, facts), { generation }));
  }

  #keep(key: string, family: KnownFamily): Family {
    if (family.kind === 'stateset') for (const state of family.codes.keys()) family.states.add(state);
    this.#families.set(key, family);
    return family;
  }

  #takeMibName(attribute: string, kind: FamilyKind): Omit<Family, 'help' | 'codes'> {
    const name = reserveName(validName(attribute), this.#taken);
    const text = kind === 'info' ? `${name}_info` : name;
    return {
      name,
      sampleName: text,
      kind,
      unit: '',
      base: findBaseUnit(undefined),
      states: new Set(),
      hasFixedStates: true,
    };
  }

  list(): Family[] {
    return [...this.#families.values()];
  }

  #nameFamily(source: string, kind: FamilyKind, base: BaseUnit): Omit<Family, 'help' | 'codes'> {
    const unit = base.name;
    let name = this.#prefix + metricName(source);
    if (/^[0-9]/.test(name)) name = `_${name}`;
    if (unit !== '' && !`_${name}_`.includes(`_${unit}_`)) name += `_${unit}`;
    const isTaken = (candidate: string) => sampleNames(candidate, kind).some((each) => this.#taken.has(each));
    const stem = name;
    for (let number = 2; isTaken(name); number++) name = `${stem}_${number}`;
    for (const each of sampleNames(name, kind)) this.#taken.add(each);
    return {
      name,
      sampleName: sampleName(name, kind),
      kind,
      unit: name.endsWith(`_${unit}`) ? unit : '',
      base,
      states: new Set(),
      hasFixedStates: false,
    };
  }
}

interface KnownFamily extends Family {
  /** Of the definitions that its facts are from. */
  readonly generation: number;
}

function explain(
  source: string,
  kind: FamilyKind,
  { description, names }: ColumnFacts = {},
): Pick<Family, 'help' | 'codes'> {
  const codes = new Map(Array.from(names ?? [], ([number, text]) => [text, number] as const));
  return { help: helpFor(source, kind, description, kind === 'gauge' ? codes : undefined), codes };
}

function helpFor(
  source: string,
  kind: FamilyKind,
  description: string | undefined,
  codes: ReadonlyMap<string, number> | undefined,
): string {
  const meaning =
    description?.trim() ?? (kind === 'info' ? `Texts of ${source}.` : `${source} of the device.`);
  if (codes === undefined || codes.size === 0) return meaning;
  const states = Array.from(codes, ([state, number]) => `${number} ${state}`).join(', ');
  return `${meaning.replace(/\.$/, '')}: ${states}.`;
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
