import { parentOid } from '../../../src/definitions/parent-oid.ts';
import type { Oid } from '../../../src/model/index.ts';
import type { IndexDraft } from '../group-draft.ts';
import type { SourceNode } from '../source/source-node.ts';
import { translateIndex } from './metric-type.ts';
import { importNames, type ModuleContext } from './module-context.ts';

export interface ImportedIndex {
  readonly index: readonly IndexDraft[];
  /** The parts that each label of the exporter is made of. */
  readonly partsOf: ReadonlyMap<string, readonly number[]>;
}

/** The parts of the index; all arcs in one label where a part cannot be split. */
export function readIndex(metric: SourceNode, name: string, oid: Oid, context: ModuleContext): ImportedIndex {
  const { columns, report } = context;
  const parts = metric.get('indexes')?.items() ?? [];
  const index: IndexDraft[] = [];
  const partsOf = new Map<string, number[]>();
  for (const [position, part] of parts.entries()) {
    report.refuseOthers(part, indexKeys);
    const label = part.get('labelname')?.text ?? `index${position + 1}`;
    const split = translateIndex(part.get('type')?.text ?? '', label, {
      fixedSize: part.get('fixed_size')?.number ?? 0,
      isImplied: part.get('implied')?.value === true,
      isLast: position === parts.length - 1,
    });
    if (typeof split === 'string') {
      report.refuse(part, `${name} ${label}`, `${split} The rows have all arcs of their index in one label.`);
      return {
        index: [{ type: 'ImplicitObjectIdentifier', label: 'index', syntax: 'ObjectIdentifier' }],
        partsOf: new Map(),
      };
    }
    const column = columns.get(label) ?? guessColumn(oid, position, part, context);
    const hasNames = column !== undefined && importNames(part, column, label, 'integer', context);
    partsOf.set(
      label,
      split.map((_, i) => index.length + i),
    );
    for (const each of split) {
      const syntax = each.syntax === 'EnumInteger' && !hasNames ? 'IntegerAsID' : each.syntax;
      index.push({ ...each, syntax, oid: each.label === undefined ? undefined : column });
    }
  }
  return { index, partsOf };
}

/**
 * The names of an index column belong to its OID, which the file does not have when the column is no metric. Index columns nearly always
 * come first, in their order. Where a metric is there, a number that no column has serves as well: nobody asks for it.
 */
function guessColumn(
  oid: Oid,
  position: number,
  part: SourceNode,
  { columns }: ModuleContext,
): Oid | undefined {
  if (part.get('enum_values') === undefined) return undefined;
  const guess = (column: number) => `${parentOid(oid)}.${column + position + 1}`;
  return [...columns.values()].includes(guess(0)) ? guess(unusedColumns) : guess(0);
}

const unusedColumns = 1_000_000;

const indexKeys = new Set(['labelname', 'type', 'fixed_size', 'implied', 'enum_values']);
