import { createRequire } from 'node:module';
import type { Node, parseDocument } from 'yaml';
import type { PositionNode } from './position-node.ts';
import { topLevelMap, type YamlDocument } from './yaml-document.ts';
import { yamlLimits } from './yaml-limits.ts';

type Parser = typeof import('yaml');

/** Loaded for the first file that needs it: most sets have none, and it is a sixth of what the thread loads. */
function loadParser(): Parser {
  return createRequire(import.meta.url)('yaml');
}

/**
 * What the exact parser makes of a text that the fast one refuses: real files exist that only this one takes.
 * Undefined when it refuses too, or when the text is large or deep enough to hurt it.
 */
export function parseWithFallback(text: string, scalars: 'typed' | 'text'): YamlDocument | undefined {
  if (text.length > yamlLimits.maxFallbackCharacters) return undefined;
  const yaml = loadParser();
  if (isTooComplex(text, yaml)) return undefined;
  try {
    const document = yaml.parseDocument(text, {
      schema: scalars === 'text' ? 'failsafe' : 'core',
      merge: false,
      logLevel: 'silent',
      prettyErrors: false,
      stringKeys: true,
    });
    if (document.errors.length > 0 || usesMoreThanPlainYaml(document, yaml)) return undefined;
    let root: PositionNode | undefined;
    const entries = () => {
      root ??= positionOf(document.contents, -1, yaml);
      return root.children;
    };
    return {
      ...topLevelMap(document.toJS({ maxAliasCount: yamlLimits.maxAliases })),
      keys: () => entries().keys(),
      keyOffset: (key) => entries().get(key)?.keyOffset,
      entryAt: (key) => entries().get(key),
    };
  } catch {
    return undefined;
  }
}

/**
 * Whether the tokens nest beyond the limit: recursion on them can abort the whole process, so they are counted before
 * the parser sees them; generously, every line's indentation and every `- ` may open a level. Anchors and aliases are
 * counted too, because the parser's time grows with the square of their number.
 */
function isTooComplex(text: string, { Lexer }: Parser): boolean {
  let anchors = 0;
  let flowDepth = 0;
  let openOnLine = 0;
  const indents: number[] = [];
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flowDepth++;
    else if (token === ']' || token === '}') flowDepth--;
    else if (token === '\n' || token === '\r\n') openOnLine = 0;
    else if (token === '-' || token === '?' || token === ':') openOnLine++;
    else if (/^ +$/.test(token) && openOnLine === 0) {
      while ((indents.at(-1) ?? -1) >= token.length) indents.pop();
      indents.push(token.length);
    } else if (token.startsWith('&') || token.startsWith('*')) anchors++;
    if (flowDepth + openOnLine + indents.length > yamlLimits.maxDepth) return true;
    if (anchors > yamlLimits.maxAliases) return true;
  }
  return false;
}

function usesMoreThanPlainYaml(
  document: ReturnType<typeof parseDocument>,
  { isAlias, visit }: Parser,
): boolean {
  let found = false;
  visit(document, {
    Node(_key, node) {
      if (!isAlias(node) && node.tag === undefined) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

function positionOf(node: unknown, keyOffset: number, yaml: Parser): PositionNode {
  const { isMap, isScalar, isSeq } = yaml;
  const children = new Map<string, PositionNode>();
  const offset = (node as Node | null)?.range?.[0] ?? keyOffset;
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const start = (key as Node).range?.[0] ?? -1;
      children.set(String(isScalar(key) ? key.value : ''), positionOf(value, start, yaml));
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) children.set(String(index), positionOf(item, -1, yaml));
  } else if (isScalar(node) && node.type === 'PLAIN') {
    return { keyOffset, offset, spelling: node.source ?? '', children };
  }
  return { keyOffset, offset, children };
}
