import type { ClauseWord } from './clause-words.ts';
import type { DefinitionForm } from './syntax-tree.ts';
import type { TokenReader } from './token-reader.ts';
import { TokenKind } from './tokenizer.ts';

/** The macros of SMIv1 and SMIv2, each with what it defines. */
const macros: ReadonlyMap<string, DefinitionForm> = new Map([
  ['MODULE-IDENTITY', 'module-identity'],
  ['OBJECT-IDENTITY', 'node'],
  ['AGENT-CAPABILITIES', 'node'],
  ['OBJECT-TYPE', 'object'],
  ['NOTIFICATION-TYPE', 'notification'],
  ['TRAP-TYPE', 'trap'],
  ['OBJECT-GROUP', 'group'],
  ['NOTIFICATION-GROUP', 'group'],
  ['MODULE-COMPLIANCE', 'compliance'],
]);

const longestMacro = Math.max(...[...macros.keys()].map((name) => name.length));
const shortestMacro = Math.min(...[...macros.keys()].map((name) => name.length));

/**
 * Whether a definition starts at the current token, also in the middle of another one that has no end. `name ::= {` is none there:
 * it is a stray word before the value of the definition.
 */
export function isDefinitionStart(reader: TokenReader): boolean {
  if (reader.kind() !== TokenKind.name) return false;
  if (reader.kind(1) === TokenKind.assign) {
    return reader.kind(2) === TokenKind.name || reader.kind(2) === TokenKind.assign;
  }
  if (reader.kind(1) !== TokenKind.name) return false;
  if (macroAt(reader, 1) !== undefined) {
    // In a list of imports without commas, macros follow one another.
    return !reader.isSymbol(',', 2) && !reader.isWord('FROM', 2) && macroAt(reader, 0) === undefined;
  }
  if (reader.isWord('OBJECT', 1)) {
    if (!reader.isWord('IDENTIFIER', 2) || reader.isWord('SYNTAX')) return false;
    return reader.kind(3) === TokenKind.assign || countValueTokens(reader, 3) > 0;
  }
  if (isConvention(reader)) return true;
  return isModuleStart(reader) || (reader.isWord('MACRO', 1) && reader.kind(2) === TokenKind.assign);
}

/** How many tokens `{ parent 1 }` has that begins at a token; 0 where something else is there. */
export function countValueTokens(reader: TokenReader, ahead: number): number {
  if (!reader.isSymbol('{', ahead) || reader.kind(ahead + 1) !== TokenKind.name) return 0;
  let count = 2;
  while (reader.kind(ahead + count) === TokenKind.number && count <= maxValueTokens) count++;
  return count > 2 && reader.isSymbol('}', ahead + count) ? count + 1 : 0;
}

/** More than any value has; keeps the time linear. */
const maxValueTokens = 130;

/** `Name TEXTUAL-CONVENTION STATUS`, where the `::=` is missing. */
function isConvention(reader: TokenReader): boolean {
  return reader.isWord('TEXTUAL-CONVENTION', 1) && conventionStarts.some((word) => reader.isWord(word, 2));
}

const conventionStarts = [
  'DISPLAY-HINT',
  'STATUS',
  'DESCRIPTION',
  'SYNTAX',
] as const satisfies readonly ClauseWord[];

/** `NAME DEFINITIONS ::=`, which also ends a module without END. */
export function isModuleStart(reader: TokenReader): boolean {
  if (!reader.isWord('DEFINITIONS', 1)) return false;
  return reader.kind(2) === TokenKind.assign || reader.isWord('BEGIN', 2) || reader.isWord('TAGS', 3);
}

export function macroAt(reader: TokenReader, ahead: number): DefinitionForm | undefined {
  const length = reader.length(ahead);
  if (length < shortestMacro || length > longestMacro) return undefined;
  return macros.get(reader.text(ahead));
}
