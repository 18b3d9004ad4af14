import type { Oid } from '../../src/model/index.ts';
import type { DraftEnum } from '../drafts/draft-set.ts';

/** The enums of a draft. A column has one, whatever groups use it. */
export class EnumDrafts {
  readonly #enums = new Map<string, DraftEnum>();

  /** Whether the column has these names now; false when it has others. */
  add(
    kind: DraftEnum['kind'],
    oid: Oid,
    names: ReadonlyMap<string, string>,
    file: string,
    comment: string,
  ): boolean {
    const id = `${kind}/${oid}`;
    const known = this.#enums.get(id);
    if (known === undefined) {
      const sorted = [...names].sort(([one], [other]) => Number(one) - Number(other));
      this.#enums.set(id, { file, kind, oid, names: new Map(sorted), comments: [comment] });
      return true;
    }
    return [...names].every(([number, text]) => known.names.get(number) === text);
  }

  /** Adds names to a column that has some, where the numbers are free. */
  has(kind: DraftEnum['kind'], oid: Oid): boolean {
    return this.#enums.has(`${kind}/${oid}`);
  }

  list(): DraftEnum[] {
    return [...this.#enums.values()];
  }
}

/** Pairs of a number and a text, whichever of the two is the key; undefined when a pair has neither. */
export function readNames(
  pairs: Iterable<readonly [string, string | undefined]>,
): ReadonlyMap<string, string> | undefined {
  const names = new Map<string, string>();
  for (const [key, value] of pairs) {
    const [number, text] = wholeNumber.test(key) ? [key, value] : [value ?? '', key];
    if (text === undefined || text.trim() === '' || !wholeNumber.test(number)) return undefined;
    const short = String(BigInt(number));
    if (!names.has(short)) names.set(short, text.trim());
  }
  return names.size === 0 ? undefined : names;
}

const wholeNumber = /^-?\d{1,18}$/;
