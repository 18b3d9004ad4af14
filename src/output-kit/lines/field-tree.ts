/** The place of a column in a document: its key as JSON with the colon, in UTF-8, and the index of the column. */
export interface Leaf {
  readonly key: Uint8Array;
  readonly column: number;
}

/** An object inside a nested document. */
export interface Branch {
  readonly key: Uint8Array;
  readonly members: readonly Member[];
}

export type Member = Leaf | Branch;

/** Places every field on the top level, under its dotted name. */
export function placeFlat(fields: readonly string[]): Leaf[] {
  return fields.map((field, column) => ({ key: keyOctets(field), column }));
}

/**
 * Places fields by the dots in their names: `a.b` and `a.c` become members of one object `a`. If `a` is itself a field, the fields below
 * it keep their dotted names, so that none is lost.
 */
export function placeNested(fields: readonly string[]): Member[] {
  const root: Tree = new Map();
  const names = new Set(fields);
  for (const [column, field] of fields.entries()) {
    const parts = field.split('.');
    let tree = root;
    let path = '';
    while (parts.length > 1) {
      path += (path === '' ? '' : '.') + parts[0];
      if (names.has(path)) break;
      const below = tree.get(parts[0]!);
      const next: Tree = below instanceof Map ? below : new Map();
      tree.set(parts.shift()!, next);
      tree = next;
    }
    tree.set(parts.join('.'), column);
  }
  return listMembers(root);
}

type Tree = Map<string, Tree | number>;

function listMembers(tree: Tree): Member[] {
  return [...tree].map(([name, below]) =>
    typeof below === 'number'
      ? { key: keyOctets(name), column: below }
      : { key: keyOctets(name), members: listMembers(below) },
  );
}

function keyOctets(name: string): Uint8Array {
  return Buffer.from(`${JSON.stringify(name)}:`);
}
