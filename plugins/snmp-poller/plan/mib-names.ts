import { findSyntax, type RecordLayout } from '../../../src/definitions/index.ts';
import type { MibColumn, MibName, MibNames } from '../../../src/index.ts';
import type { PlanDefinitions } from './plan-context.ts';
import type { ColumnSource, RecordPlan } from './poll-plan.ts';

/** What the MIBs call the labels and columns of a record. Of several attributes that write a field, the best gives the name. */
export function mibNamesOf(
  { index }: RecordLayout,
  { columns, labels }: Pick<RecordPlan, 'columns' | 'labels'>,
  { objects }: Pick<PlanDefinitions, 'objects'>,
): MibNames {
  const parts = index.flatMap(({ field, mibName, syntax }): [string, MibName][] => {
    if (field === undefined || mibName === undefined) return [];
    return [[field, { name: mibName, isMac: findSyntax(syntax)?.reading === 'mac' }]];
  });
  const tags = labels.map(({ field, sources }): [string, MibName] => [field, nameOf(sources[0]!)]);
  return {
    labels: Object.fromEntries([...parts, ...tags]),
    columns: Object.fromEntries(
      columns.map(({ head, sources }) => [head.field, columnOf(sources[0]!, objects)]),
    ),
  };
}

function nameOf({ attribute, reading }: ColumnSource): MibName {
  return { name: attribute, isMac: reading === 'mac' };
}

/** What the definition itself scales stays scaled; the syntax is undone. */
function columnOf(source: ColumnSource, objects: PlanDefinitions['objects']): MibColumn {
  const { scale, rowScale, object, attribute } = source;
  const stateAs = objects.get(object)?.attributes.get(attribute)?.stateAs;
  const { times, over } = rowScale === undefined ? scale : unscaled;
  return { ...nameOf(source), stateAs, times, over };
}

const unscaled = { times: 1, over: 1 };
