import { NameSuggester } from '../../../nearest-name.ts';
import type { DefinitionPath } from '../schema/raw-definitions.ts';
import { type DefinitionProblem, type DefinitionRule, definitionRules } from './definition-rules.ts';

/** Collects what is wrong with a set of definitions. */
export class ProblemList {
  readonly problems: DefinitionProblem[] = [];
  readonly #names = new NameSuggester();

  add(rule: DefinitionRule, path: DefinitionPath, message: string): void {
    this.problems.push({ level: definitionRules[rule].level, rule, path, message });
  }

  /** The end of a sentence about a wrong name, as long as suggestions are affordable. */
  suggest(name: string, known: Pick<ReadonlyMap<string, unknown>, 'keys' | 'size'>): string {
    return this.#names.suggest(name, known);
  }

  /** `There is no <what> “name”; <outcome>.`, with the name that was probably meant. */
  addUnknown(
    path: DefinitionPath,
    what: string,
    name: string,
    outcome: string,
    known: Pick<ReadonlyMap<string, unknown>, 'keys' | 'size'>,
  ): void {
    const hint = this.suggest(name, known);
    this.add('unknown-reference', path, `There is no ${what} “${name}”; ${outcome}.${hint}`);
  }
}
