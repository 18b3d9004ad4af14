import type { Problem } from '../../../../src/index.ts';
import { baseSet } from '../support/base-set.ts';

/** The base set with one fault, and where it must be reported. */
export interface BrokenSet {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly expected: Omit<Problem, 'message'>;
}

/** Marks where the problem is expected: before the character that line and column point at. */
const marker = '«';

/**
 * The base set with `find` replaced once by `replace` in `file`; an empty `find` appends. The marker in `replace` is where the
 * problem is expected. Files in `others` are added unchanged.
 */
export function breakSet(
  rule: string,
  file: string,
  find: string,
  replace: string,
  level: Problem['level'] = 'error',
  others: Readonly<Record<string, string>> = {},
): BrokenSet {
  const base = baseSet[file] ?? others[file] ?? '';
  if (!base.includes(find)) throw new Error(`${file} does not hold ${JSON.stringify(find)}.`);
  const changed = find === '' ? base + replace : base.replace(find, () => replace);
  const offset = changed.indexOf(marker);
  if (offset === -1) throw new Error(`No place is marked in ${JSON.stringify(replace)}.`);
  const before = changed.slice(0, offset).split('\n');
  return {
    title: `${rule} in ${file}: ${replace.trim().replaceAll('\n', '⏎').slice(0, 70)}`,
    files: { ...baseSet, ...others, [file]: changed.replace(marker, '') },
    expected: { level, file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, rule },
  };
}
