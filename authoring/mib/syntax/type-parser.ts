import { isClauseStart } from './clause-words.ts';
import { parseInteger } from './integer.ts';
import { isBeyondList, skipBraces } from './list-end.ts';
import type { NamedNumbers, RangeSyntax, TypeForm, TypeSyntax } from './syntax-tree.ts';
import type { TokenReader } from './token-reader.ts';
import { TokenKind } from './tokenizer.ts';

/** `INTEGER { up(1) }`, `OCTET STRING (SIZE (0..255))`, `SEQUENCE OF IfEntry`; undefined when no type is there. */
export function parseType(reader: TokenReader): TypeSyntax | undefined {
  const tag = takeTag(reader);
  const start = reader.start;
  const first = isClauseStart(reader) ? undefined : reader.takeName();
  if (first === undefined) {
    reader.report('error', 'missing-type', `A type is missing before ${reader.describe()}.`);
    return undefined;
  }
  if (first === 'SEQUENCE' || first === 'CHOICE') return parseConstructed(reader, first, start);
  const name = takeRest(reader, first);
  let labels: NamedNumbers | undefined;
  let ranges: readonly RangeSyntax[] | undefined;
  for (;;) {
    if (reader.isSymbol('{')) labels = parseLabels(reader);
    else if (reader.isSymbol('(')) ranges = parseRanges(reader) ?? ranges;
    else if (reader.isWord('SIZE') && reader.isSymbol('(', 1)) {
      reader.warn('size-syntax', 'SIZE stands in parentheses: (SIZE (0..255)).');
      reader.skip();
    } else return { form: 'named', name, start, tag, labels, ranges };
  }
}

function parseConstructed(reader: TokenReader, word: string, start: number): TypeSyntax {
  let form: TypeForm = word === 'CHOICE' ? 'choice' : 'sequence';
  let name = word;
  if (reader.takeWord('OF')) {
    form = 'table';
    const at = reader.start;
    const row = reader.takeName();
    if (row === undefined) {
      reader.warn('missing-type', `The type of the rows is missing before ${reader.describe()}.`, at);
    }
    name = row ?? '';
  }
  if (reader.isSymbol('{')) skipBraces(reader);
  return { form, name, start, tag: undefined, labels: undefined, ranges: undefined };
}

/** `[APPLICATION 1] IMPLICIT` */
function takeTag(reader: TokenReader): number | undefined {
  let tag: number | undefined;
  if (reader.takeSymbol('[')) {
    while (!reader.isEnd() && !reader.takeSymbol(']')) {
      if (reader.kind() === TokenKind.number) tag = Number(reader.text());
      reader.skip();
    }
  }
  if (!reader.takeWord('IMPLICIT')) reader.takeWord('EXPLICIT');
  return tag;
}

/** The second word of `OCTET STRING`, and the type of `Module.Type`. */
function takeRest(reader: TokenReader, first: string): string {
  if (first === 'OBJECT' && reader.takeWord('IDENTIFIER')) return 'OBJECT IDENTIFIER';
  if (first === 'OCTET' || first === 'BIT') {
    if (!reader.takeWord('STRING')) {
      reader.warn('type-syntax', `STRING is missing after ${first}.`);
    }
    return `${first} STRING`;
  }
  if (!reader.isSymbol('.') || reader.kind(1) !== TokenKind.name) return first;
  reader.skip();
  return reader.take();
}

function parseLabels(reader: TokenReader): NamedNumbers {
  const names: string[] = [];
  const numbers: number[] = [];
  const start = reader.start;
  reader.skip();
  let hasComma = true;
  while (!reader.takeSymbol('}')) {
    if (reader.kind() === TokenKind.text || isBeyondList(reader)) {
      reader.warn('missing-brace', 'The list of names and numbers that opens here is not closed.', start);
      break;
    }
    if (reader.takeSymbol(',')) {
      if (hasComma) reader.warn('extra-comma', 'A comma has no name before it.');
      hasComma = true;
      continue;
    }
    const at = reader.start;
    const isName = reader.kind() === TokenKind.name;
    if ((!isName && reader.kind() !== TokenKind.number) || !reader.isSymbol('(', 1)) {
      const hint = isName ? 'has no number' : 'is not a name';
      reader.warn('enum-syntax', `${reader.describe()} ${hint} in a list of names and numbers.`);
      if (reader.isSymbol('{') || !reader.isSymbol('(')) reader.skip();
      else skipBraces(reader);
      hasComma = true;
      continue;
    }
    const name = reader.take();
    reader.skip();
    const number = takeInteger(reader);
    if (!reader.takeSymbol(')'))
      reader.warn('enum-syntax', `A closing parenthesis is missing after ${name}.`);
    if (number === undefined) reader.warn('enum-syntax', `${name} has no number.`, at);
    else {
      if (!hasComma) reader.warn('missing-comma', `A comma is missing before ${name}.`, at);
      if (!isName || !/^[a-z]/.test(name)) {
        reader.warn('enum-name', `${name} does not start with a lower-case letter.`, at);
      }
      names.push(name);
      numbers.push(Number(number));
    }
    hasComma = false;
  }
  return { names, numbers };
}

/** `(0..255 | 512)` or `(SIZE (0..255))`, with any number of parentheses. */
function parseRanges(reader: TokenReader): RangeSyntax[] | undefined {
  const start = reader.start;
  const ranges: RangeSyntax[] = [];
  let depth = 0;
  do {
    if (reader.kind() === TokenKind.text || isBeyondList(reader)) {
      reader.warn('missing-parenthesis', 'The range that opens here is not closed.', start);
      break;
    }
    const at = reader.start;
    if (reader.takeSymbol('(')) depth++;
    else if (reader.takeSymbol(')')) depth--;
    else if (reader.takeWord('SIZE') || reader.takeSymbol('|')) continue;
    else {
      const min = takeBound(reader);
      if (min === undefined) {
        reader.warn('range-syntax', `${reader.describe()} has no meaning in a range.`, at);
        reader.skip();
        continue;
      }
      let max: typeof min | undefined = min;
      if (reader.kind() === TokenKind.range) {
        reader.skip();
        max = takeBound(reader);
        if (max === undefined) reader.warn('range-syntax', 'The end of a range is missing.', at);
      }
      ranges.push({ min, max: max ?? 'MAX' });
    }
  } while (depth > 0);
  return ranges.length === 0 ? undefined : ranges;
}

function takeBound(reader: TokenReader): RangeSyntax['min'] | undefined {
  if (reader.takeWord('MIN')) return 'MIN';
  if (reader.takeWord('MAX')) return 'MAX';
  return takeInteger(reader);
}

function takeInteger(reader: TokenReader): number | bigint | undefined {
  const kind = reader.kind();
  if (kind !== TokenKind.number && kind !== TokenKind.octets) return undefined;
  const at = reader.start;
  const number = parseInteger(reader.take());
  if (number === undefined) reader.warn('number-size', 'The number has more than 64 bits.', at);
  return number;
}
