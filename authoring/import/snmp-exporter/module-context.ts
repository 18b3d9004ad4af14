import { normalizeOid, type Oid } from '../../../src/model/oid.ts';
import { type EnumDrafts, readNames } from '../enum-drafts.ts';
import type { GroupDraft } from '../group-draft.ts';
import type { ImportReport } from '../import-report.ts';
import type { SourceNode } from '../source/source-node.ts';

/** What the parts of one module share. */
export interface ModuleContext {
  readonly group: GroupDraft;
  readonly enums: EnumDrafts;
  readonly report: ImportReport;
  /** The OIDs of the columns by their names, as far as they are metrics. */
  readonly columns: ReadonlyMap<string, Oid>;
}

/** Whether the column has the names of `enum_values` now. */
export function importNames(
  node: SourceNode,
  oid: Oid,
  name: string,
  kind: 'integer' | 'bitmap',
  { enums, group, report }: ModuleContext,
): boolean {
  const values = node.get('enum_values');
  if (values === undefined) return false;
  const names = readNames(values.entries().map(([number, text]) => [number, text.text] as const));
  if (names === undefined) {
    report.refuse(values, `${name} enum_values`, 'It must be a map from whole numbers to texts.');
    return enums.has(kind, oid);
  }
  if (!enums.add(kind, oid, names, group.group, name)) {
    report.refuse(
      values,
      `${name} enum_values`,
      'An earlier module gives the column other names, which are used here too.',
    );
  }
  return true;
}

/** An OID without the instance of a scalar. */
export function oidOf(node: SourceNode | undefined): Oid | undefined {
  const oid = normalizeOid(node?.text ?? '');
  return oid === undefined || oid.split('.').length < 3 ? undefined : oid.replace(/\.0$/, '');
}
