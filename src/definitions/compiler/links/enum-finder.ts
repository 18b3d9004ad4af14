import type { Oid } from '../../../model/oid.ts';
import type { DefinitionPath } from '../../schema/raw-definitions.ts';
import { findSyntax } from '../../syntax/syntax-table.ts';
import type { CompiledEnum } from '../compiled-definitions.ts';
import type { ProblemList } from '../problem-list.ts';

/** Finds the enum that names the values of a column. */
export class EnumFinder {
  readonly #enums: ReadonlyMap<string, CompiledEnum>;
  readonly #oidNamesHash: string;
  readonly #problems: ProblemList;

  constructor(enums: ReadonlyMap<string, CompiledEnum>, oidNamesHash: string, problems: ProblemList) {
    this.#enums = enums;
    this.#oidNamesHash = oidNamesHash;
    this.#problems = problems;
  }

  /** The enum of a column, or the OID names, which have no id; undefined when the syntax needs none or none exists. */
  find(
    syntaxName: string,
    column: Oid,
    path: DefinitionPath,
  ): { readonly id: string | undefined; readonly hash: string } | undefined {
    const names = findSyntax(syntaxName)?.names;
    if (names === 'oidEnum') return { id: undefined, hash: this.#oidNamesHash };
    const id = enumIdFor(syntaxName, column);
    if (id === undefined) return undefined;
    const found = this.#enums.get(id);
    if (found === undefined && names?.endsWith('Enum') === true)
      this.#reportMissing(syntaxName, column, path);
    return found;
  }

  #reportMissing(syntax: string, column: Oid, path: DefinitionPath): void {
    const kind = kindFor(syntax);
    const other = kind === 'bitmap' ? 'integer' : 'bitmap';
    const hint = this.#enums.has(`${other}/${column}`)
      ? `There is one in the ${other} enums.`
      : `Add one, or choose a syntax without names.`;
    const message = `${syntax} needs a ${kind} enum for .${column}, but there is none, so values stay numbers. ${hint}`;
    this.#problems.add('missing-enum', path, message);
  }
}

/** The id of the enum that names a column's values, whether or not it exists; undefined for syntaxes without one. */
export function enumIdFor(syntaxName: string, column: Oid): string | undefined {
  const names = findSyntax(syntaxName)?.names;
  return names === undefined || names === 'oidEnum' ? undefined : `${kindFor(syntaxName)}/${column}`;
}

function kindFor(syntaxName: string): 'bitmap' | 'integer' {
  return findSyntax(syntaxName)?.names === 'bitmapEnum' ? 'bitmap' : 'integer';
}
