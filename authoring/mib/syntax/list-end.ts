import { isClauseStart } from './clause-words.ts';
import { isDefinitionStart } from './definition-start.ts';
import type { TokenReader } from './token-reader.ts';
import { TokenKind } from './tokenizer.ts';

/** Whether the current token cannot be in braces or parentheses: the closing one is missing. */
export function isBeyondList(reader: TokenReader): boolean {
  const kind = reader.kind();
  if (kind === TokenKind.end || kind === TokenKind.assign) return true;
  return (
    kind === TokenKind.name && (reader.isWord('END') || isClauseStart(reader) || isDefinitionStart(reader))
  );
}

/** From the current opening brace or parenthesis to the one that closes it, however deep what is between nests. */
export function skipBraces(reader: TokenReader): void {
  const { start } = reader;
  let depth = 0;
  for (; !isBeyondList(reader); reader.skip()) {
    const kind = reader.kind();
    if (kind === opening || kind === openingParenthesis) depth++;
    else if ((kind === closing || kind === closingParenthesis) && --depth <= 0) {
      reader.skip();
      return;
    }
  }
  reader.warn('missing-brace', 'The brace that opens here is not closed.', start);
}

const opening = '{'.charCodeAt(0);
const closing = '}'.charCodeAt(0);
const openingParenthesis = '('.charCodeAt(0);
const closingParenthesis = ')'.charCodeAt(0);
