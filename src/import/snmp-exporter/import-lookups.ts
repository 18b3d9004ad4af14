import type { Oid } from '../../model/oid.ts';
import type { IndexDraft } from '../group-draft.ts';
import type { SourceNode } from '../source/source-node.ts';
import { labelSyntax } from './metric-type.ts';
import { importNames, type ModuleContext, oidOf } from './module-context.ts';

/** The index labels that `drop_source_indexes` removes: lookups without labels. Only where another lookup of the row takes their place. */
export function readDroppedLabels(metric: SourceNode): ReadonlySet<string> {
  const lookups = metric.get('lookups')?.items() ?? [];
  const all = labelsOf(metric);
  const isReplaced = lookups.some((lookup) => isSameRow(lookup, all));
  const dropped = lookups
    .filter((lookup) => isDrop(lookup))
    .map((lookup) => lookup.get('labelname')?.text ?? '');
  return new Set(isReplaced ? dropped : []);
}

/** Adds the columns that lookups name as labels of the rows. */
export function readLookups(
  metric: SourceNode,
  name: string,
  oid: Oid,
  index: readonly IndexDraft[],
  context: ModuleContext,
): void {
  const { group, report } = context;
  const all = labelsOf(metric);
  for (const lookup of metric.get('lookups')?.items() ?? []) {
    const label = lookup.get('labelname')?.text ?? '';
    if (isDrop(lookup)) {
      if (readDroppedLabels(metric).has(label)) report.keep();
      else
        report.refuse(lookup, `${name} drop ${label}`, 'The label stays, because no lookup takes its place.');
      continue;
    }
    if (!isSameRow(lookup, all)) {
      group.comment(
        oid,
        `Missing label: ${label}, which snmp_exporter looks up by ${sourceLabels(lookup).join(', ')} only.`,
      );
      report.refuse(
        lookup,
        `${name} lookup ${label}`,
        'It names a row of a table with another index. Such labels are not supported.',
      );
      continue;
    }
    const column = oidOf(lookup.get('oid'));
    const type = lookup.get('type')?.text ?? '';
    const hasNames = column !== undefined && importNames(lookup, column, label, 'integer', context);
    const syntax = labelSyntax(type, hasNames);
    if (column === undefined || syntax === undefined) {
      report.refuse(lookup, `${name} lookup ${label}`, 'It needs an OID and a type that is known.');
      continue;
    }
    const added = group.add({ key: label, oid: column, syntax, tag: true }, index);
    if (added === 'added' || added === 'merged') {
      group.join(oid, column);
      report.keep();
    } else
      report.refuse(
        lookup,
        `${name} lookup ${label}`,
        'The table of the label has another index, or the name is taken.',
      );
  }
}

function labelsOf(metric: SourceNode): string[] {
  return (metric.get('indexes')?.items() ?? []).map((part) => part.get('labelname')?.text ?? '');
}

function sourceLabels(lookup: SourceNode): string[] {
  return (lookup.get('labels')?.items() ?? []).map((each) => each.text ?? '');
}

function isDrop(lookup: SourceNode): boolean {
  return sourceLabels(lookup).length === 0;
}

/** Whether the whole index, in its order, is looked up. */
function isSameRow(lookup: SourceNode, all: readonly string[]): boolean {
  const labels = sourceLabels(lookup);
  return labels.length === all.length && labels.every((label, at) => label === all[at]);
}
