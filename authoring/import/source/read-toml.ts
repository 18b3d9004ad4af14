import { LineIndex } from '../../../src/definitions/yaml/line-index.ts';
import { noPositions, type PositionNode } from '../../../src/definitions/yaml/position-node.ts';
import { readText, type UnreadableSource } from './read-source.ts';
import { SourceFile } from './source-node.ts';

/** Deeper files are refused, because the parser is recursive. */
const maxDepth = 64;

/** Reads a TOML file with the place of each value. */
export async function readTomlSource(
  path: string,
): Promise<{ readonly source?: SourceFile; readonly problems: UnreadableSource[] }> {
  const text = readText(path);
  const deepAt = findDeepBracket(text);
  if (deepAt !== undefined) {
    const reason = `Nested more than ${maxDepth} levels deep.`;
    return { problems: [{ file: path, ...new LineIndex(text).at(deepAt), reason }] };
  }
  const { parseTOML, getStaticTOMLValue, ParseError } = await import('toml-eslint-parser');
  try {
    const program = parseTOML(text);
    const root = newPlaces(-1, 0);
    for (const node of program.body[0].body) {
      if (node.type === 'TOMLKeyValue') placePair(root, node);
      else {
        const table = placeKeys(root, node.resolvedKey, node.range[0]);
        for (const pair of node.body) placePair(table, pair);
      }
    }
    return { source: new SourceFile(path, text, getStaticTOMLValue(program), root), problems: [] };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { lineNumber: line, column, message } = error;
    return { problems: [{ file: path, line, column: column + 1, reason: `This is not TOML: ${message}.` }] };
  }
}

interface Places extends PositionNode {
  readonly children: Map<string, PositionNode>;
}

type Body = import('toml-eslint-parser').AST.TOMLKeyValue;
type Content = import('toml-eslint-parser').AST.TOMLContentNode;

function newPlaces(keyOffset: number, offset: number): Places {
  return { keyOffset, offset, children: new Map() };
}

function placeKeys(root: Places, keys: readonly (string | number)[], offset: number): Places {
  let places = root;
  for (const key of keys.map(String)) {
    const known = places.children.get(key) as Places | undefined;
    const next = known === undefined || known.children === noPositions ? newPlaces(offset, offset) : known;
    places.children.set(key, next);
    places = next;
  }
  return places;
}

function placePair(root: Places, { key, value, range }: Body): void {
  const keys = key.keys.map((each) => (each.type === 'TOMLBare' ? each.name : each.value));
  const last = keys.pop()!;
  placeKeys(root, keys, range[0]).children.set(last, placesOf(value, range[0]));
}

function placesOf(value: Content, keyOffset: number): PositionNode {
  const places = newPlaces(keyOffset, value.range[0]);
  if (value.type === 'TOMLInlineTable') for (const pair of value.body) placePair(places, pair);
  else if (value.type === 'TOMLArray') {
    for (const [at, each] of value.elements.entries()) places.children.set(String(at), placesOf(each, -1));
  } else return { keyOffset, offset: value.range[0], children: noPositions };
  return places;
}

/** Where brackets outside of texts and comments are nested too deep. */
function findDeepBracket(text: string): number | undefined {
  let depth = 0;
  const tokens = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[{]|[\]}]/g;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > maxDepth) return index;
  }
  return undefined;
}
