import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type ParsedNode, parseDocument, type YAMLMap } from 'yaml';
import { cliFailure } from '../cli-errors.ts';

interface YamlFile {
  /** Names it in errors. */
  readonly label: string;
  readonly text: string;
}

/**
 * Adds `lines`, the entries of a block map, at the end of the map under `key`, or of the map that is the whole file. The rest of the text
 * stays as it is, byte for byte. The result is read again before it is returned: it has the old values and the new ones, nothing else.
 */
export function extendMap({ label, text }: YamlFile, key: string | undefined, lines: string): string {
  const refuse = (reason: string) =>
    cliFailure('INIT_CANNOT_EXTEND', { file: label, reason, map: key === undefined ? 'it' : `\`${key}\`` });
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(mark.length);
  const expected = addValues(readMap(body, refuse), key, readMap(lines, refuse), refuse);
  const { offsets, indent, heading = [] } = findPlace(body, key, refuse);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  // An empty line before the new ones could be a part of the text above.
  for (const added of [lines, lines.trimStart()]) {
    const indented = added.split('\n').map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
    const inserted = [...heading, ...indented].join(eol);
    for (const offset of offsets) {
      const before = body.slice(0, offset);
      const isLineOpen = before !== '' && !before.endsWith('\n');
      const extended = before + (isLineOpen ? eol : '') + inserted + body.slice(offset);
      if (readsAs(extended, expected)) return mark + extended;
    }
  }
  throw refuse('it has an unusual form');
}

type Refuse = (reason: string) => Error;
type Values = ReadonlyMap<unknown, unknown>;

function parse(text: string) {
  return parseDocument(text, { prettyErrors: false, uniqueKeys: true });
}

/** Maps instead of objects, so that every key stays what it is. */
function readMap(text: string, refuse: Refuse): Values {
  const document = parse(text);
  if (document.errors.length > 0) throw refuse('it is not valid YAML');
  let value: unknown;
  try {
    value = document.toJS({ mapAsMap: true, maxAliasCount: 100 });
  } catch {
    throw refuse('its aliases cannot be resolved');
  }
  if (value === null || value === undefined) return new Map();
  if (value instanceof Map) return value;
  throw refuse('it is not a map');
}

function readsAs(text: string, expected: Values): boolean {
  try {
    return isDeepStrictEqual(readMap(text, Error), expected);
  } catch {
    return false;
  }
}

function addValues(old: Values, key: string | undefined, added: Values, refuse: Refuse): Values {
  if (key !== undefined) {
    const below = old.get(key) ?? new Map();
    if (!(below instanceof Map)) throw refuse(`\`${key}\` is not a map`);
    return new Map([...old, [key, addValues(below, undefined, added, refuse)]]);
  }
  const twice = [...added.keys()].find((name) => old.has(name));
  if (twice !== undefined) throw refuse(`it has an entry "${twice}" already`);
  return new Map([...old, ...added]);
}

interface Place {
  /** Where the lines can be inserted, the best place first. */
  readonly offsets: readonly number[];
  readonly indent: number;
  /** A line that must come before them, with its indentation. */
  readonly heading?: readonly string[];
}

const step = 2;

function findPlace(text: string, key: string | undefined, refuse: Refuse): Place {
  const root = parse(text).contents as ParsedNode | null | undefined;
  if (isEmpty(root)) {
    return key === undefined
      ? { offsets: [text.length], indent: 0 }
      : { offsets: [text.length], indent: step, heading: [`${key}:`] };
  }
  if (!isMap(root)) throw refuse('it is not a map');
  const whole = placeAtEnd(text, root, 'it', refuse);
  if (key === undefined) return whole;
  const pair = root.items.find((item) => isScalar(item.key) && item.key.value === key);
  const indent = whole.indent + step;
  if (pair === undefined) return { ...whole, indent, heading: [`${' '.repeat(whole.indent)}${key}:`] };
  const value = pair.value as ParsedNode | null;
  if (isEmpty(value)) return { offsets: [endOfLine(text, value?.range[0] ?? 0)], indent };
  if (!isMap(value)) throw refuse(`\`${key}\` is not written as a map`);
  return placeAtEnd(text, value, `\`${key}\``, refuse);
}

/** `key:` without a value, and a file without one. `key: null` is a value: nothing can be written below it. */
function isEmpty(node: ParsedNode | null | undefined): boolean {
  return !node || (isScalar(node) && node.value === null && (node.source ?? '') === '');
}

function placeAtEnd(text: string, map: YAMLMap, what: string, refuse: Refuse): Place {
  if (map.flow === true) throw refuse(`${what} is written in braces`);
  const [start = 0, end = 0] = map.range ?? [];
  const indent = start - startOfLine(text, start);
  const next = afterLooseLines(text, end);
  return { offsets: [beforeLooseLines(text, next, indent), next], indent };
}

function afterLooseLines(text: string, offset: number): number {
  const [loose = ''] = /^([^\S\n]*(#[^\n]*)?\n)*([^\S\n]*(#[^\n]*)?$)?/.exec(text.slice(offset)) ?? [];
  return offset + loose.length;
}

/** Before empty lines, and before comments that are indented less than the map: they belong to what follows. */
function beforeLooseLines(text: string, end: number, indent: number): number {
  let offset = end;
  while (offset > 0) {
    const start = startOfLine(text, offset - 1);
    const line = text.slice(start, offset);
    const isLoose = line.trim() === '' || (/^\s*#/.test(line) && line.search(/\S/) < indent);
    if (!isLoose) return offset;
    offset = start;
  }
  return offset;
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
