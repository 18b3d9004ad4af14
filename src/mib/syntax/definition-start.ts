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
  if (reader.kind(1) === TokenKind.assign) return reader.kind(2) === TokenKind.name;
  if (reader.kind(1) !== TokenKind.name) return false;
  if (macroAt(reader, 1) !== undefined) return !reader.isSymbol(',', 2) && !reader.isWord('FROM', 2);
  if (reader.isWord('OBJECT', 1)) {
    return reader.isWord('IDENTIFIER', 2) && reader.kind(3) === TokenKind.assign && !reader.isWord('SYNTAX');
  }
  return isModuleStart(reader) || (reader.isWord('MACRO', 1) && reader.kind(2) === TokenKind.assign);
}

/** `NAME DEFINITIONS ::=`, which also ends a module without END. */
export function isModuleStart(reader: TokenReader): boolean {
  return reader.isWord('DEFINITIONS', 1) && (reader.kind(2) === TokenKind.assign || reader.isWord('TAGS', 3));
}

export function macroAt(reader: TokenReader, ahead: number): DefinitionForm | undefined {
  const length = reader.length(ahead);
  if (length < shortestMacro || length > longestMacro) return undefined;
  return macros.get(reader.text(ahead));
}
