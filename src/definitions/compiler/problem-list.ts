import type { Problem } from '../../model/definition-changes.ts';
import { NameSuggester } from '../../nearest-name.ts';
import { type DefinitionRule, definitionRules } from '../definition-rules.ts';
import type { DefinitionPath } from '../schema/raw-definitions.ts';

/** What is wrong, and where in the set. The reader of the files adds file and line. */
export interface DefinitionProblem {
  readonly level: Problem['level'];
  readonly rule: DefinitionRule;
  readonly message: string;
  readonly path: DefinitionPath;
}

/** More of one level than anyone reads. After these are fixed, the next ones are listed. */
const maxProblems = 1_000;

/** Collects the problems of a set of definitions, the first thousand of each level. */
export class ProblemList {
  readonly problems: DefinitionProblem[] = [];
  readonly #names = new NameSuggester();
  readonly #counts = { error: 0, warning: 0 };

  add(rule: DefinitionRule, path: DefinitionPath, message: string): void {
    if (this.#isFull(rule)) return;
    const { level } = definitionRules[rule];
    this.#counts[level]++;
    this.problems.push({ level, rule, path, message });
  }

  /** The suggestion at the end of a sentence about an unknown name; empty when too many were made. */
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
    if (this.#isFull('unknown-reference')) return;
    const hint = this.suggest(name, known);
    this.add('unknown-reference', path, `There is no ${what} “${name}”; ${outcome}.${hint}`);
  }

  #isFull(rule: DefinitionRule): boolean {
    return this.#counts[definitionRules[rule].level] >= maxProblems;
  }
}
