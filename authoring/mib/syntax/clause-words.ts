import type { TokenReader } from './token-reader.ts';
import { TokenKind } from './tokenizer.ts';

/** The words that begin a clause of a macro. */
export const clauseWords = [
  'SYNTAX',
  'ACCESS',
  'MAX-ACCESS',
  'MIN-ACCESS',
  'STATUS',
  'DESCRIPTION',
  'UNITS',
  'DISPLAY-HINT',
  'LAST-UPDATED',
  'REVISION',
  'ORGANIZATION',
  'CONTACT-INFO',
  'REFERENCE',
  'INDEX',
  'AUGMENTS',
  'DEFVAL',
  'OBJECTS',
  'NOTIFICATIONS',
  'VARIABLES',
  'ENTERPRISE',
] as const;

export type ClauseWord = (typeof clauseWords)[number];

const words: ReadonlySet<string> = new Set(clauseWords);
const longestWord = Math.max(...clauseWords.map((word) => word.length));
const shortestWord = Math.min(...clauseWords.map((word) => word.length));

/** Whether the current token, or one ahead, begins a clause. A name of a list, such as `INDEX(1)`, does not. */
export function isClauseStart(reader: TokenReader, ahead = 0): boolean {
  const length = reader.length(ahead);
  if (reader.kind(ahead) !== TokenKind.name || length < shortestWord || length > longestWord) return false;
  return words.has(reader.text(ahead)) && !listSymbols.has(reader.kind(ahead + 1));
}

const listSymbols: ReadonlySet<number> = new Set([...'(,}'].map((symbol) => symbol.charCodeAt(0)));
