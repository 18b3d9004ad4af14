import type { SourceNode } from '../source/source-node.ts';
import type { ModuleContext } from './module-context.ts';

/** A metric that `regex_extracts` makes of a text. */
export interface ImportedExtract {
  /** What follows the name of the metric. */
  readonly suffix: string;
  readonly factor: number;
}

/**
 * The numbers that regular expressions read from a text, where these read the first number of the text, or put a point into it. Others
 * are refused: devices choose the texts, and an expression of JavaScript can take hours for one.
 */
export function readExtracts(metric: SourceNode, name: string, { report }: ModuleContext): ImportedExtract[] {
  return (metric.get('regex_extracts')?.entries() ?? []).flatMap(([suffix, list]) => {
    for (const each of list.items()) report.refuseOthers(each, extractKeys);
    const factors = list
      .items()
      .map((each) => factorOf(bare(each.get('regex')?.text ?? ''), each.get('value')?.text ?? ''));
    const [factor] = factors;
    if (factor !== undefined && factors.every((each) => each === factor)) return [{ suffix, factor }];
    const reason = 'Only the first number of a text is read, also with a point in front of its last digits.';
    report.refuse(list, `${name}${suffix} regex_extracts`, reason);
    return [];
  });
}

const numbers = new Set(
  String.raw`.* .+ \d* \d+ -?\d+ \d+\.\d+ -?\d+\.\d+ [\d.]+ [-\d.]+ [0-9]+ [0-9.]+ [-0-9.]+`.split(' '),
);
const rests = new Set(['', '.*', ' .*', String.raw`\D*`, String.raw`\D.*`, String.raw`\s.*`]);
const lastDigits = new Map([
  ['.', 1],
  ['..', 2],
  ['.{2}', 2],
  [String.raw`\d`, 1],
  [String.raw`\d\d`, 2],
  [String.raw`\d{2}`, 2],
  [String.raw`\d{3}`, 3],
]);

/** What the first number of the text is multiplied by; undefined when the expression says something else. */
function factorOf(expression: string, value: string): number | undefined {
  const [, first, rest] = /^\(([^()]*)\)([^()]*)$/.exec(expression) ?? [];
  if (first !== undefined && /^\$(?:1|\{1\})$/.test(value)) {
    return numbers.has(first) && (rests.has(rest!) || /^[ %A-Za-z]*$/.test(rest!)) ? 1 : undefined;
  }
  const [, zeros] = /^0\.(0*)\$1$/.exec(value) ?? [];
  if (zeros !== undefined && rest === '' && lastDigits.has(first!)) {
    return Number(`1e-${zeros.length + lastDigits.get(first!)!}`);
  }
  const [, front = '', last = ''] = /^\(([^()]*?)\??\)\(([^()]*)\)$/.exec(expression) ?? [];
  const places = lastDigits.get(last);
  return numbers.has(front) && places !== undefined && /^0?\$1\.\$2$/.test(value)
    ? Number(`1e-${places}`)
    : undefined;
}

/** Without the anchors and the group that the generator puts around an expression. */
function bare(regex: string): string {
  const inner = /^\^\(\?:(.*)\)\$$/.exec(regex)?.[1] ?? regex;
  return inner.replace(/^\^/, '').replace(/\$$/, '');
}

const extractKeys = new Set(['regex', 'value']);
