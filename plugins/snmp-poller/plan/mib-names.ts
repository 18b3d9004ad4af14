import type { MibColumn, MibName, MibNames } from '../../../src/index.ts';
import { findSyntax, type RecordLayout } from '../../../src/internal.ts';
import type { ColumnSource, RecordPlan } from './poll-plan.ts';

/** What the MIBs call the labels and columns of a record. Of several attributes that write a field, the best gives the name. */
export function mibNamesOf(
  { index }: RecordLayout,
  { columns, labels }: Pick<RecordPlan, 'columns' | 'labels'>,
): MibNames {
  const parts = index.flatMap(({ field, mibName, syntax }): [string, MibName][] => {
    if (field === undefined || mibName === undefined) return [];
    return [[field, { name: mibName, isMac: findSyntax(syntax)?.reading === 'mac' }]];
  });
  const tags = labels.map(({ field, sources }): [string, MibName] => [field, nameOf(sources[0]!)]);
  return {
    labels: Object.fromEntries([...parts, ...tags]),
    columns: Object.fromEntries(columns.map(({ head, sources }) => [head.field, columnOf(sources[0]!)])),
  };
}

function nameOf({ attribute, reading }: ColumnSource): MibName {
  return { name: attribute, isMac: reading === 'mac' };
}

/** A value that other columns of its row scale stays as it is. */
function columnOf(source: ColumnSource): MibColumn {
  const { scale, rowScale } = source;
  const isByRow = rowScale?.prefixSlot !== undefined || rowScale?.precisionSlot !== undefined;
  if (isByRow) return { ...nameOf(source), times: 1, over: 1 };
  return { ...nameOf(source), times: scale.times * (rowScale?.factor ?? 1), over: scale.over };
}
