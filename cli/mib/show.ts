import type { MibNode } from '../../authoring/mib/index.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { plainText } from '../terminal/plain-text.ts';
import { formatPairs } from '../terminal/table.ts';
import { lookUp, type NamedInstance, nameOf } from './mib-names.ts';
import { formatJson, plainLines } from './mib-text.ts';
import { findMibPaths, openMibs } from './open-mibs.ts';
import { decodeInstance, findIndex, type IndexValue, type RowIndex } from './row-index.ts';

/** `waywiser mib show NAME|OID`: prints what MIB files say about a node. A name that several modules define is shown for each. */
export async function showMibNode(
  word: string,
  { mibs, json = false }: { readonly mibs?: readonly string[]; readonly json?: boolean },
): Promise<number> {
  const paths = findMibPaths(mibs);
  const set = openMibs(paths);
  const shown = lookUp(set, word, paths).map((found) => explain(found, findIndex(set, found.node)));
  console.log(json ? formatJson(shown.map(describe)) : shown.map(format).join('\n\n'));
  return exitCodes.done;
}

/** A node with the index of its row, and the values of that index in the instance. */
interface Shown extends NamedInstance {
  readonly index: RowIndex | undefined;
  readonly values: readonly IndexValue[] | undefined;
}

function explain(found: NamedInstance, index: RowIndex | undefined): Shown {
  const hasValues = found.suffix !== '' && index !== undefined;
  return { ...found, index, values: hasValues ? decodeInstance(found.suffix, index) : undefined };
}

function describe({ node, suffix, index, values }: Shown): object {
  return {
    ...node.toJSON(),
    ...node.locate(),
    indexColumns: index?.columns.map(({ module, name }) => `${module}::${name}`),
    instance: suffix === '' ? undefined : suffix,
    indexValues: values && Object.fromEntries(values.map(({ name, value }) => [name, value])),
  };
}

function format(shown: Shown): string {
  const { node } = shown;
  const description = node.description === undefined ? '' : `\n\n${plainLines(node.description)}`;
  return `${colours.bold(plainText(nameOf(shown)))}\n${formatPairs(listFacts(shown))}${description}`;
}

function listFacts({ node, suffix, index, values }: Shown): (readonly [string, string])[] {
  const { oid, kind, hint, units, access, status, enums, objects, augments } = node;
  const { file, line } = node.locate();
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['oid', oid === undefined || suffix === '' ? oid : `${oid}.${suffix}`],
    ['kind', kind],
    ['type', formatType(node)],
    [
      'enums',
      enums &&
        Object.entries(enums)
          .map(([name, number]) => `${name}(${number})`)
          .join(', '),
    ],
    ['hint', hint],
    ['units', units],
    ['access', access],
    ['status', status],
    ['index', index && formatIndex(index)],
    ['augments', augments],
    ['instance', formatInstance(node, suffix, values)],
    ['objects', objects?.join(', ')],
    ['file', `${file}:${line}`],
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [[name, plainText(text)] as const]));
}

/** `DisplayString (OctetString, 0..255)`. */
function formatType({ type, typeName, ranges = [] }: MibNode): string | undefined {
  const limits = ranges.map(({ min, max }) => (min === max ? `${min}` : `${min}..${max}`)).join(' | ');
  const [name = type, ...details] = [typeName, type === typeName ? undefined : type, limits].filter(Boolean);
  return details.length === 0 ? name : `${name} (${details.join(', ')})`;
}

function formatIndex({ columns, isImplied }: RowIndex): string {
  const names = columns.map(({ name }) => name);
  return isImplied ? [...names.slice(0, -1), `IMPLIED ${names.at(-1)}`].join(', ') : names.join(', ');
}

function formatInstance(
  { kind }: MibNode,
  suffix: string,
  values: readonly IndexValue[] | undefined,
): string | undefined {
  if (suffix === '') return undefined;
  if (values !== undefined) return values.map(({ name, value }) => `${name} ${value}`).join(', ');
  return kind === 'column' || kind === 'row' ? `${suffix} (does not fit the index)` : suffix;
}
