import { findNearestName } from '../../nearest-name.ts';
import { plainSyntaxes } from './plain-syntaxes.ts';
import { scaledSyntaxes } from './scaled-syntaxes.ts';
import type { Syntax } from './syntax.ts';

/** Every syntax, by family. */
export const syntaxes: readonly Syntax[] = [...plainSyntaxes, ...scaledSyntaxes];

const byName: ReadonlyMap<string, Syntax> = new Map(syntaxes.map((syntax) => [syntax.name, syntax]));

export function findSyntax(name: string): Syntax | undefined {
  return byName.get(name);
}

/** The syntax whose name is nearest to `name`. */
export function suggestSyntax(name: string): string | undefined {
  return findNearestName(name, byName.keys());
}
