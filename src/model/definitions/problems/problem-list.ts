import { suggestName } from '../../../nearest-name.ts';
import type { DefinitionPath } from '../schema/raw-definitions.ts';
import { type DefinitionProblem, type DefinitionRule, definitionRules } from './definition-rules.ts';

/** Names compared for suggestions, all in all: a set in which every reference is wrong must not cost minutes. */
const maxCompared = 50_000;

/** Collects what is wrong with a set of definitions. */
export class ProblemList {
  readonly problems: DefinitionProblem[] = [];
  #compared = 0;

  add(rule: DefinitionRule, path: DefinitionPath, message: string): void {
    this.problems.push({ level: definitionRules[rule].level, rule, path, message });
  }

  /** `There is no <what> “name”; <outcome>.`, with the name that was probably meant. */
  addUnknown(
    path: DefinitionPath,
    what: string,
    name: string,
    outcome: string,
    known: Pick<ReadonlyMap<string, unknown>, 'keys' | 'size'>,
  ): void {
    this.#compared += known.size;
    const hint = this.#compared <= maxCompared ? suggestName(name, known.keys()) : '';
    this.add('unknown-reference', path, `There is no ${what} “${name}”; ${outcome}.${hint}`);
  }
}
