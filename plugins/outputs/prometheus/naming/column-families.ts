import { type Batch, type Column, valueAt } from '../../../../src/index.ts';
import type { Family, FamilyTable } from './family-table.ts';
import { labelValue } from './label-value.ts';
import { type Label, labelName } from './row-label-list.ts';

/** What the columns of a batch are called. */
export interface ColumnFamilies {
  readonly columns: readonly { readonly family: Family; readonly column: Column }[];
  /** Texts that are no state sets share one info family an object. */
  readonly info: Family;
  readonly hasTexts: boolean;
  /** The labels that the texts of a row are, those that it has. */
  textLabels(row: number): Label[];
}

/** `labelNames` are those that the rows have taken; `stateSets` the fields whose texts become state sets. */
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
