import { type Batch, type Column, valueAt } from '../../model/batch.ts';
import { Type } from '../../typebox.ts';
import type { Family, FamilyTable } from './family-table.ts';
import { labelValue } from './name-text.ts';
import { type Label, labelName } from './row-label-list.ts';

/** The options of an output that names series in the style of Prometheus. */
export const namingOptions = {
  prefix: Type.String({
    pattern: '^[a-z_][a-z0-9_]*$',
    default: 'snmp_',
    description: 'prefix of every metric name',
  }),
  state_sets: Type.Array(Type.String(), {
    default: [],
    description: 'fields of named values that become state sets instead of labels of an info metric',
  }),
};

/** The families of the columns of a batch. */
export interface ColumnFamilies {
  readonly columns: readonly { readonly family: Family; readonly column: Column }[];
  /** The family of all texts of an object that are not state sets. */
  readonly info: Family;
  readonly hasTexts: boolean;
  /** The texts of a row as labels of the info family. */
  textLabels(row: number): Label[];
}

/**
 * Names the columns of a batch. `labelNames` are the names that `listRowLabels` returned for its rows, which no text may have again;
 * `stateSets` are the fields whose texts become state sets.
 */
export function nameColumns(
  batch: Batch,
  labelNames: ReadonlySet<string>,
  { families, stateSets }: { readonly families: FamilyTable; readonly stateSets: ReadonlySet<string> },
): ColumnFamilies {
  const isText = ({ kind, field }: Column) => (kind === 'text' || kind === 'list') && !stateSets.has(field);
  const textNames = new Set(labelNames);
  const texts = batch.columns
    .filter(isText)
    .map((column) => ({ column, name: labelName(column.field, textNames) }));
  return {
    columns: batch.columns
      .filter((column) => !isText(column))
      .map((column) => ({
        column,
        family: families.getFamily(column.field, familyKind(column), column.unit),
      })),
    info: families.getFamily(batch.record, 'info'),
    hasTexts: texts.length > 0,
    textLabels: (row) => texts.flatMap(({ name, column }) => textLabel(name, column, row)),
  };
}

function familyKind(column: Column) {
  if (column.kind === 'text' || column.kind === 'list') return 'stateset';
  return column.metric === 'counter' ? 'counter' : 'gauge';
}

function textLabel(name: string, column: Column, row: number): Label[] {
  const value = valueAt(column, row);
  if (value === undefined) return [];
  return [[name, labelValue(Array.isArray(value) ? value.join(',') : String(value))]];
}

/** A field with more values is not an enumeration: only its current state is written. */
const maxStates = 64;

/** Lists every state that the field has had anywhere, with 1 for the current states of this row. Empty for a gap. */
export function listStates(family: Family, column: Column, row: number): (readonly [Label, 0 | 1])[] {
  const value = valueAt(column, row);
  if (value === undefined) return [];
  const holding = new Set<string>(Array.isArray(value) ? value : [String(value)]);
  for (const state of holding) if (family.states.size < maxStates) family.states.add(state);
  const states = [...new Set([...family.states, ...holding])];
  return states.map((state) => [[family.name, labelValue(state)], holding.has(state) ? 1 : 0]);
}
