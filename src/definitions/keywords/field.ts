import type { SyntaxKind } from '../syntax/syntax.ts';
import { findSyntax, suggestSyntax } from '../syntax/syntax-table.ts';
import type { ReportKeywordProblem } from './keyword.ts';
import { Text } from './scalars.ts';

export interface CompiledField {
  readonly field: string;
  /** The attribute's own syntax, or that of the companion. */
  readonly syntax: string;
  readonly kind: SyntaxKind;
}

export const FieldName = Text({ description: 'The output field, a dotted path.' });

export const SyntaxName = Text({
  description: 'How the value is decoded, scaled and named: one of the documented syntaxes.',
});

/** The fields that a value of this syntax is written to: two where the syntax has a companion, none where it emits nothing. */
export function compileFields(name: string, syntaxName: string): CompiledField[] {
  const syntax = findSyntax(syntaxName);
  if (syntax === undefined || syntax.kind === 'none') return [];
  const own = { field: name + syntax.suffix, syntax: syntax.name, kind: syntax.kind };
  const companion = syntax.companion && findSyntax(syntax.companion.syntax);
  if (syntax.companion === undefined || companion === undefined) return [own];
  return [own, { field: name + syntax.companion.suffix, syntax: companion.name, kind: companion.kind }];
}

export function checkSyntax(
  name: string,
  path: readonly (string | number)[],
  report: ReportKeywordProblem,
): void {
  if (findSyntax(name) !== undefined) return;
  const nearest = suggestSyntax(name);
  const advice = nearest === undefined ? 'Choose one of the documented names.' : `Did you mean “${nearest}”?`;
  report('unknown-syntax', path, `There is no syntax “${name}”. ${advice}`);
}
