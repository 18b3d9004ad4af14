import { type Batch, type Column, type ListColumn, type TextColumn, valueAt } from '../../model/batch.ts';
import { Type } from '../../typebox.ts';
import type { Family, FamilyTable, NamedColumn } from './family-table.ts';
import { doublesOf, nameMibColumn } from './mib-columns.ts';
import { labelValue, type Naming } from './name-text.ts';
import { type Label, labelName } from './row-label-list.ts';
import { dateNumbers, stateNumbers } from './text-numbers.ts';

/** The options of an output that names series in the style of Prometheus. */
export const namingOptions = {
  prefix: Type.String({
    pattern: '^[a-z_][a-z0-9_]*$',
    default: 'snmp_',
    description: 'prefix of every metric name',
  }),
  state_sets: Type.Array(Type.String(), {
    default: [],
    description:
      'fields of named values that become state sets instead of a number or a label of an info metric',
  }),
  naming: Type.Union([Type.Literal('fields'), Type.Literal('mib')], {
    default: 'fields',
    description:
      'fields: metrics and labels are named after the fields of the definitions. mib: they have the names and values of the MIB, as in snmp_exporter',
  }),
};

export interface NamingSettings {
  readonly families: FamilyTable;
  readonly stateSets: ReadonlySet<string>;
  /** By default `fields`. */
  readonly naming?: Naming;
}

/** The families of the columns of a batch. */
export interface ColumnFamilies {
  /** Numbers in base units, and texts and lists of state sets. */
  readonly columns: readonly NamedColumn[];
  /** The family of the texts of an object that are not states. */
  readonly info: Family;
  readonly hasTexts: boolean;
  /** The texts of a row as labels of the info family. */
  textLabels(row: number): Label[];
}

/**
 * Names the columns of a batch. `labelNames` are the names that `listRowLabels` returned for its rows, which no text may have again;
 * `stateSets` are fields whose texts become state sets. What is derived from counters is left out, because readers compute it.
 */
export function nameColumns(
  { columns, record, mib, generation }: Batch,
  labelNames: ReadonlySet<string>,
  { families, stateSets, naming }: NamingSettings,
): ColumnFamilies {
  let textNames: Set<string> | undefined;
  const texts: NamedText[] = [];
  const named: NamedColumn[] = [];
  const seen = new Set<Family>();
  const add = (each: NamedColumn) => {
    // The number of a state may be there twice: by its name, and in a field of its own.
    if (!seen.has(each.family)) named.push(each);
    seen.add(each.family);
  };
  for (const column of columns) {
    if (column.about?.derived !== undefined) continue;
    const original = naming === 'mib' ? mib?.columns[column.field] : undefined;
    // The number beside the name of a state is not served when the name is.
    if (original?.stateAs !== undefined && column.kind === 'number') continue;
    if (original !== undefined) add(nameMibColumn(column, original, families, generation));
    else if (isStateSet(column, stateSets)) {
      add({
        column,
        family: families.getFamily(column.field, 'stateset', undefined, column.about, generation),
      });
    } else if (column.kind === 'text' || column.kind === 'list') {
      const numbered = column.kind === 'text' ? nameState(column, families, generation) : undefined;
      if (numbered !== undefined) add(numbered);
      else {
        textNames ??= new Set(labelNames);
        texts.push({ column, name: labelName(column.field, textNames) });
      }
    } else add(nameNumbers(column, families, generation));
  }
  return {
    // An array that was filled by `push` has room for more: outputs keep this one.
    columns: named.slice(),
    info: families.getFamily(record, 'info'),
    hasTexts: texts.length > 0,
    textLabels: texts.length === 0 ? noLabels : labelsOf(texts),
  };
}

interface NamedText {
  readonly column: Column;
  readonly name: string;
}

/** Outside of `nameColumns`, so that the function does not keep what that one needed. */
function labelsOf(texts: readonly NamedText[]): ColumnFamilies['textLabels'] {
  return (row) => texts.flatMap(({ name, column }) => textLabel(name, column, row));
}

function noLabels(): Label[] {
  return [];
}

/** More names than this are kinds of things, such as types of interfaces, and not states of one. */
const maxStates = 64;

/** Texts become state sets where the operator wants them, and flags always: a label that changes would begin another series. */
function isStateSet({ kind, field, about }: Column, stateSets: ReadonlySet<string>): boolean {
  if (kind !== 'text' && kind !== 'list') return false;
  return stateSets.has(field) || (kind === 'list' && isEnum(about?.names));
}

function isEnum(names: ReadonlyMap<number, string> | undefined): boolean {
  return names !== undefined && names.size <= maxStates;
}

/** A state as its number, and a date as seconds since 1970. Undefined for other texts. */
function nameState(column: TextColumn, families: FamilyTable, generation: number): NamedColumn | undefined {
  const { field, about } = column;
  if (isEnum(about?.names)) {
    const family = families.getFamily(field.replace(/\.name$/, '.id'), 'gauge', undefined, about, generation);
    return { family, column: stateNumbers(column, family.codes) };
  }
  if (about?.isTime !== true) return undefined;
  const family = families.getFamily(field, 'gauge', 's', about, generation);
  return { family, column: dateNumbers(column) };
}

/** A column of numbers in the base unit of its own unit. */
function nameNumbers(
  column: Exclude<Column, TextColumn | ListColumn>,
  families: FamilyTable,
  generation: number,
): NamedColumn {
  const kind = column.metric === 'counter' ? 'counter' : 'gauge';
  const family = families.getFamily(column.field, kind, column.unit, column.about, generation);
  const { times, over } = family.base;
  if (column.kind === 'boolean' || (times === 1 && over === 1)) return { family, column };
  const numbers = column.kind === 'number' ? column.values : doublesOf(column.words);
  const values = numbers.map((value) => (value * times) / over);
  return { family, column: { kind: 'number', metric: kind, field: column.field, values, gaps: column.gaps } };
}

function textLabel(name: string, column: Column, row: number): Label[] {
  const value = valueAt(column, row);
  if (value === undefined) return [];
  return [[name, labelValue(Array.isArray(value) ? value.join(',') : String(value))]];
}

/** Lists every state that the field can have or has had anywhere, with 1 for the current states of this row. A text is its only state. Empty for a gap. */
export function listStates(family: Family, column: Column, row: number): (readonly [Label, 0 | 1])[] {
  const value = valueAt(column, row);
  if (value === undefined) return [];
  if (family.kind === 'text' || family.kind === 'info')
    return [[[family.name, labelValue(String(value))], 1]];
  const holding = new Set<string>(Array.isArray(value) ? value : [String(value)]);
  if (!family.hasFixedStates)
    for (const state of holding) if (family.states.size < maxStates) family.states.add(state);
  const states = [...new Set([...family.states, ...holding])];
  return states.map((state) => [[family.name, labelValue(state)], holding.has(state) ? 1 : 0]);
}
