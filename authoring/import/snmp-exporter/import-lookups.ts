import { parentOid } from '../../../src/definitions/parent-oid.ts';
import type { ColumnDraft } from '../group-draft.ts';
import type { SourceNode } from '../source/source-node.ts';
import type { ImportedIndex } from './import-index.ts';
import { labelSyntax } from './metric-type.ts';
import { importNames, type ModuleContext, oidOf } from './module-context.ts';

/** The labels of a metric beside those of its index. */
export interface ImportedLookups {
  readonly columns: readonly ColumnDraft[];
  /** Labels of the index that the metric does not have. */
  readonly dropped: ReadonlySet<string>;
  /** A line for people for each lookup that was refused. */
  readonly missing: readonly string[];
}

/** Reads the columns that lookups name. A column of another table is read there, at the parts of the index that the lookup names. */
export function readLookups(
  metric: SourceNode,
  name: string,
  isText: boolean,
  { index, partsOf }: ImportedIndex,
  context: ModuleContext,
): ImportedLookups {
  const { report } = context;
  const entry = parentOid(oidOf(metric.get('oid'))!);
  const columns: ColumnDraft[] = [];
  const dropped = new Set<string>();
  const missing: string[] = [];
  let isReplaced = false;
  const lookups = metric.get('lookups')?.items() ?? [];
  for (const lookup of lookups) report.refuseOthers(lookup, lookupKeys, lookupReasons);
  for (const lookup of lookups.filter((each) => labelsOf(each).length > 0)) {
    const label = lookup.get('labelname')?.text ?? '';
    const sources = labelsOf(lookup);
    const refuse = (reason: string) => {
      missing.push(
        `Missing label: ${label}, which snmp_exporter looks up by ${sources.join(', ')}. ${reason}`,
      );
      report.refuse(lookup, `${name} lookup ${label}`, reason);
    };
    if (sources.some((source) => !partsOf.has(source))) {
      refuse('It names a row by the value of another lookup. Such labels are not supported.');
      continue;
    }
    const column = oidOf(lookup.get('oid'));
    const type = lookup.get('type')?.text ?? '';
    const hasNames = column !== undefined && importNames(lookup, column, label, 'integer', context);
    const syntax = labelSyntax(type, hasNames);
    if (column === undefined || syntax === undefined) {
      refuse('It needs an OID and a type that is known.');
      continue;
    }
    if (label === name && !isText) {
      refuse('A label cannot have the name of a metric that is a number.');
      continue;
    }
    report.keep();
    isReplaced = true;
    // A text is a label of that name already.
    if (label === name) continue;
    if (partsOf.has(label)) dropped.add(label);
    const parts = sources.flatMap((source) => partsOf.get(source)!);
    const isOwn = parentOid(column) === entry && isWhole(parts, index.length);
    columns.push({
      key: label,
      oid: column,
      syntax,
      tag: true,
      at: isOwn ? undefined : parts.map((part) => part + 1),
    });
  }
  for (const lookup of lookups.filter((each) => labelsOf(each).length === 0)) {
    const label = lookup.get('labelname')?.text ?? '';
    if (isReplaced) {
      dropped.add(label);
      report.keep();
    } else {
      report.refuse(lookup, `${name} drop ${label}`, 'The label stays, because no lookup takes its place.');
    }
  }
  return { columns, dropped, missing };
}

function labelsOf(lookup: SourceNode): string[] {
  return (lookup.get('labels')?.items() ?? []).map((each) => each.text ?? '');
}

/** Whether these are all parts of the index, in its order. */
function isWhole(parts: readonly number[], count: number): boolean {
  return parts.length === count && parts.every((part, position) => part === position);
}

const lookupKeys = new Set(['labels', 'labelname', 'oid', 'type', 'enum_values']);
const lookupReasons = { display_hint: 'The octets become text by the type of the lookup.' };
