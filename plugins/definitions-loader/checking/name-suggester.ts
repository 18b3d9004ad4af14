import { suggestName } from '../../../src/index.ts';

/** Names compared, all in all: a set in which every reference is wrong must not cost minutes. */
const maxCompared = 50_000;

/** Says what a wrong name was probably meant to be, as long as that is affordable. */
export class NameSuggester {
  #compared = 0;

  suggest(name: string, known: Pick<ReadonlyMap<string, unknown>, 'keys' | 'size'>): string {
    this.#compared += known.size;
    return this.#compared <= maxCompared ? suggestName(name, known.keys()) : '';
  }
}
