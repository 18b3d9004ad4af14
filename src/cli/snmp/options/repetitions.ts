import { snmpCommandFailure } from '../failure.ts';

export interface Repetitions {
  readonly nonRepeaters?: number;
  readonly maxRepetitions?: number;
}

/** What stands behind each -C: `r25` for repetitions, `n1` for non-repeaters. */
export function parseRepetitions(words: readonly string[] = []): Repetitions {
  return Object.assign({}, ...words.map(parseWord));
}

/** net-snmp's `-Cr25` in the spelling `-Cr 25` too. */
export function joinRepetitions(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const isNumber = /^\d+$/.test(arg) && /^-C[nr]$/.test(joined.at(-1) ?? '');
    if (isNumber) joined.push(joined.pop() + arg);
    else joined.push(arg);
  }
  return joined;
}

/** What GETBULK carries (RFC 3416 §3). */
const maxNumber = 2 ** 31 - 1;

function parseWord(word: string): Repetitions {
  const [, letter, digits] = /^([nr])(\d+)$/.exec(word) ?? [];
  const number = Number(digits);
  if (letter === 'n' && number <= maxNumber) return { nonRepeaters: number };
  if (letter === 'r' && number > 0 && number <= maxNumber) return { maxRepetitions: number };
  throw snmpCommandFailure('OPTION_INVALID', {
    option: '-C',
    expected: 'r and a number of repetitions, or n and a number of non-repeaters, such as -Cr25',
  });
}
