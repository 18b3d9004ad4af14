import type { MibNode } from '../../mib/index.ts';

/** By the name of a column: the older column of the same value, as ifInOctets is of ifHCInOctets. */
export function findOlder(columns: readonly MibNode[]): ReadonlyMap<string, string> {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const older = new Map<string, string>();
  for (const column of columns) {
    for (const mark of [/HC(?=[A-Z])/, /(?:Rev|64|64bit|HC)$/]) {
      const other = byName.get(column.name.replace(mark, ''));
      if (other === undefined || other === column || !isNumber(column) || !isNumber(other)) continue;
      if (column.type === 'Counter64' || other.status === 'deprecated' || isNumberOfSameKind(column, other))
        older.set(column.name, other.name);
    }
  }
  return older;
}

/** Whether the description of a deprecated column names another one that takes its place. */
export function hasSuccessor(column: MibNode, columns: readonly MibNode[]): boolean {
  const { name, status, description = '' } = column;
  if (status !== 'deprecated') return false;
  const said =
    /(?:replaced|superseded|deprecated|obsoleted) (?:\w+ )?by\s+(?:the )?([A-Za-z]\w*)|in favou?r of\s+(?:the )?([A-Za-z]\w*)/i.exec(
      description.slice(0, 4_000),
    );
  const wanted = said?.[1] ?? said?.[2];
  const successor = columns.find(
    (each) => each.name === wanted && each.name !== name && each.status !== 'obsolete',
  );
  // With a mark in its name the newer one overrides it, so that old devices still answer.
  return successor !== undefined && ![...findOlder(columns).values()].includes(name);
}

function isNumber({ type, enums }: MibNode): boolean {
  return enums === undefined && /^(?:Integer32|Unsigned32|Gauge32|Counter32|Counter64)$/.test(type ?? '');
}

function isNumberOfSameKind({ name, type }: MibNode, other: MibNode): boolean {
  return /HC|64/.test(name) && (type === other.type || type === 'Unsigned32' || type === 'Gauge32');
}
