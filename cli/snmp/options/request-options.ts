import { usageFailure } from '../../cli-errors.ts';

/** The options of a request by their letter, as typed; nothing is checked yet. */
export interface RequestOptions {
  readonly v?: string;
  readonly c?: string;
  readonly u?: string;
  readonly l?: string;
  readonly a?: string;
  readonly A?: string;
  readonly x?: string;
  readonly X?: string;
  readonly n?: string;
  readonly t?: string;
  readonly r?: string;
  readonly C?: readonly string[];
  readonly engine?: string;
  /** The configuration whose devices can be named. */
  readonly config?: string | undefined;
  readonly json?: boolean;
  /** Files and directories of MIBs whose names are used. */
  readonly mibs?: readonly string[];
}

export interface Timing {
  readonly timeoutMs: number;
  readonly retries: number;
}

/** A longer timeout is a mistake in the unit. */
const maxSeconds = 3600;
const maxRetries = 100;

/** Reads -t and -r. The defaults are those of net-snmp: one second, five retries. */
export function parseTiming({ t = '1', r = '5' }: RequestOptions): Timing {
  const seconds = /^\d*\.?\d+$/.test(t) ? Number(t) : 0;
  if (seconds < 0.001 || seconds > maxSeconds) {
    throw usageFailure('OPTION_INVALID', { option: '-t', expected: `0.001 to ${maxSeconds} seconds` });
  }
  const retries = /^\d+$/.test(r) ? Number(r) : Number.POSITIVE_INFINITY;
  if (retries > maxRetries) {
    throw usageFailure('OPTION_INVALID', { option: '-r', expected: `0 to ${maxRetries} retries` });
  }
  return { timeoutMs: seconds * 1000, retries };
}

export interface Repetitions {
  readonly nonRepeaters?: number;
  readonly maxRepetitions?: number;
}

/** Reads the value of each -C: `r25` for repetitions, `n1` for non-repeaters. */
export function parseRepetitions(words: readonly string[] = []): Repetitions {
  return Object.assign({}, ...words.map(parseWord));
}

/** Also takes net-snmp's other spelling of `-Cr25`, which is `-Cr 25`. */
export function joinRepetitions(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const isNumber = /^\d+$/.test(arg) && /^-C[nr]$/.test(joined.at(-1) ?? '');
    if (isNumber) joined.push(joined.pop() + arg);
    else joined.push(arg);
  }
  return joined;
}

/** The largest number that a GETBULK request can carry (RFC 3416 §3). */
const maxNumber = 2 ** 31 - 1;

function parseWord(word: string): Repetitions {
  const [, letter, digits] = /^([nr])(\d+)$/.exec(word) ?? [];
  const number = Number(digits);
  if (letter === 'n' && number <= maxNumber) return { nonRepeaters: number };
  if (letter === 'r' && number > 0 && number <= maxNumber) return { maxRepetitions: number };
  throw usageFailure('OPTION_INVALID', {
    option: '-C',
    expected: 'r and a number of repetitions, or n and a number of non-repeaters, such as -Cr25',
  });
}
