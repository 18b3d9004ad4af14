import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import type { MibNode } from '../../../../authoring/mib/index.ts';

/** A field that snmptranslate shows otherwise. `cause` is set where a general rule says that it is wrong, or cannot know. */
export interface TranslateDifference {
  readonly node: string;
  readonly field: string;
  readonly ours: unknown;
  readonly theirs: unknown;
  readonly cause: string | undefined;
}

export interface TranslateComparison {
  /** Nodes that snmptranslate shows. */
  readonly nodes: number;
  /** Nodes that it does not find. */
  readonly unknown: readonly string[];
  readonly differences: readonly TranslateDifference[];
}

/** Scalars, columns and rows as `snmptranslate -Td` shows them: many of one folder of MIBs in each process. */
export function compareWithSnmptranslate(folder: string, nodes: readonly MibNode[]): TranslateComparison {
  const asked = nodes.filter(({ kind, oid }) => /^(?:scalar|column|row)$/.test(kind) && oid !== undefined);
  const unknown: string[] = [];
  const differences: TranslateDifference[] = [];
  let count = 0;
  for (let start = 0; start < asked.length; start += perProcess) {
    const group = asked.slice(start, start + perProcess);
    const shown = translate(folder, group.map(nameOf));
    for (const node of group) {
      const theirs = shown.get(nameOf(node));
      if (theirs === undefined) {
        unknown.push(nameOf(node));
        continue;
      }
      count++;
      differences.push(...compare(node, theirs));
    }
  }
  return { nodes: count, unknown, differences };
}

const perProcess = 8_000;

const nameOf = ({ module, name }: MibNode) => `${module}::${name}`;

interface Shown {
  readonly oid: string;
  readonly clauses: ReadonlyMap<string, string>;
}

function translate(folder: string, names: readonly string[]): Map<string, Shown> {
  const { stdout } = spawnSync('snmptranslate', ['-M', folder, '-m', 'ALL', '-Td', ...names], {
    encoding: 'latin1',
    maxBuffer: 2 ** 28,
    env: { ...process.env, MIBDIRS: folder, HOME: folder },
  });
  const shown = new Map<string, Shown>();
  for (const block of stdout.split(/\n\n(?=[A-Za-z][\w-]*::[\w-]+\n)/)) {
    const [title = '', ...lines] = block.split('\n');
    const clauses = new Map<string, string>();
    for (const line of lines) {
      const [, word, text = ''] = /^ {2}([A-Z-]+)\t+(.*)$/.exec(line) ?? [];
      if (word === 'DESCRIPTION') break;
      if (word !== undefined && !clauses.has(word)) clauses.set(word, text.trim());
      const [, continued] = /^\t\t? *([^ ].*)$/.exec(line) ?? [];
      const last = [...clauses.keys()].at(-1);
      if (word === undefined && continued !== undefined && last !== undefined)
        clauses.set(last, `${clauses.get(last)} ${continued}`);
    }
    const path = lines.findLast((line) => line.startsWith('::= {')) ?? '';
    const oid = [...path.matchAll(/(?:\((\d+)\)| (\d+)(?= ))/g)].map(([, inner, last]) => inner ?? last);
    shown.set(title.trim(), { oid: oid.join('.'), clauses });
  }
  return shown;
}

function compare(node: MibNode, { oid, clauses }: Shown): TranslateDifference[] {
  const differences: TranslateDifference[] = [];
  const check = (field: string, ours: unknown, theirs: unknown, cause?: string): void => {
    if (!isDeepStrictEqual(ours, theirs))
      differences.push({ node: nameOf(node), field, ours, theirs, cause });
  };
  check('oid', node.oid, oid);
  check('status', node.status, clauses.get('STATUS'));
  if (node.kind === 'row') {
    check('augments', node.augments, namesIn(clauses.get('AUGMENTS'))[0]);
    const index = namesIn(clauses.get('INDEX'));
    check(
      'index',
      node.index ?? [],
      index.map((name) => name.replace(/^IMPLIED /, '')),
    );
    check(
      'implied',
      node.implied ?? false,
      index.some((name) => name.startsWith('IMPLIED ')),
    );
    return differences;
  }
  check('access', node.access, clauses.get('MAX-ACCESS'));
  const units = clauses.get('UNITS')?.replace(/^"|"$/g, '');
  // It breaks lines as the MIB does.
  check('units', node.units?.split('\n', 1)[0]?.trim(), units?.trim());
  const syntax = clauses.get('SYNTAX') ?? '';
  const [, type = '', rest = ''] = /^([A-Za-z0-9 -]*?)\s*(?:([{(].*))?$/.exec(syntax) ?? [];
  const noType = syntax === '' ? 'it has not found the type' : undefined;
  check('type', node.type, types.get(type) ?? type, noType);
  const theirs = enumsIn(rest);
  const hasKeyword = Object.keys(node.enums ?? {}).some((name) => keywords.has(name));
  const cause = hasKeyword ? 'it reads a label as a keyword' : undefined;
  // `SYNTAX InetAddressType (1)`
  const lost = theirs === undefined && node.ranges !== undefined ? 'it has lost the enum' : undefined;
  check('enums', node.enums, theirs, noType ?? cause ?? lost);
  return differences;
}

const namesIn = (text = '') =>
  text
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

function enumsIn(text: string): Record<string, number> | undefined {
  if (!text.startsWith('{')) return undefined;
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)\((-?\d+)\)/g)].map(([, name, number]) => [name, Number(number)]),
  );
}

/** Words of the language that it does not take as labels of an enumeration. */
const keywords = new Set(['current', 'deprecated', 'mandatory', 'obsolete', 'optional']);

/** The words that snmptranslate has for types. */
const types: ReadonlyMap<string, string> = new Map([
  ['INTEGER', 'Integer32'],
  ['OCTET STRING', 'OctetString'],
  ['OBJECT IDENTIFIER', 'ObjectIdentifier'],
  ['Counter', 'Counter32'],
  ['Gauge', 'Gauge32'],
  ['UInteger32', 'Unsigned32'],
  ['Network Address', 'IpAddress'],
  ['NetworkAddress', 'IpAddress'],
  ['BITS', 'Bits'],
  ['BIT STRING', 'Bits'],
]);
