import type { Definition } from '../syntax/syntax-tree.ts';
import type { LoadedModule } from './loaded-module.ts';
import type { Found, NameFinder } from './name-finder.ts';

/** Reports what the INDEX or AUGMENTS of a row names and nobody has, and rows that extend each other in a circle. */
export function checkRow(module: LoadedModule, row: Definition, names: NameFinder): void {
  const { source } = module.syntax;
  for (const name of row.index ?? []) {
    // SMIv1 allows a type in the place of a column.
    if (/^[A-Z]/.test(name) || names.isNear(module, name, 'values')) continue;
    const message = `The INDEX of ${row.name} names ${name}, which is neither defined nor imported.`;
    source.report('warning', 'unknown-index', message, row.start);
  }
  if (row.augments === undefined) return;
  const seen = new Set<Definition>();
  let current: Found | undefined = { module, definition: row };
  while (current?.definition.augments !== undefined && !seen.has(current.definition)) {
    seen.add(current.definition);
    current = names.find(current.module, current.definition.augments, 'values');
  }
  if (current === undefined && !names.isNear(module, row.augments, 'values')) {
    const message = `${row.name} augments ${row.augments}, which is neither defined nor imported.`;
    source.report('warning', 'unknown-index', message, row.start);
  } else if (current?.definition === row) {
    const message = `The index of ${row.name} is unknown: the rows that it augments lead back to it.`;
    source.report('error', 'augments-circle', message, row.start);
  }
}
