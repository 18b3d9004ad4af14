import { isDefinitionStart } from './definition-start.ts';
import { isBeyondList, skipBraces } from './list-end.ts';
import { Definition, type OidSyntax } from './syntax-tree.ts';
import type { TokenReader } from './token-reader.ts';
import { TokenKind } from './tokenizer.ts';

/** More numbers than an OID can have (RFC 2578, 3.5). */
const maxNumbers = 128;

/**
 * `{ parent 1 }`, `{ iso org(3) dod(6) 1 }`, `{ 1 3 6 }`. Each name in the middle becomes a label, because other definitions may
 * use it.
 */
export function parseOid(reader: TokenReader, labels: Definition[]): OidSyntax | undefined {
  const start = reader.start;
  if (!reader.takeSymbol('{')) {
    reader.warn('missing-brace', `An OID in braces is missing before ${reader.describe()}.`);
    if (reader.kind() !== TokenKind.name || reader.kind(1) !== TokenKind.number) return undefined;
  } else if (reader.takeSymbol('{')) reader.warn('extra-brace', 'The brace of an OID is there twice.', start);
  let parent: string | undefined;
  let parentNumber: number | undefined;
  let numbers: number[] = [];
  let isFirst = true;
  while (!reader.isEnd() && !reader.takeSymbol('}')) {
    if (reader.kind() === TokenKind.name) {
      if (reader.isWord('END') || isDefinitionStart(reader)) {
        reader.warn('missing-brace', 'The braces of an OID are not closed.', start);
        break;
      }
      const at = reader.start;
      const name = takeQualifiedName(reader);
      const number = takeParenthesizedNumber(reader);
      if (isFirst || number === undefined) {
        if (!isFirst) {
          reader.warn('name-in-oid', `The name ${name} in the middle of an OID has no number.`, at);
        }
        parent = name;
        parentNumber = number;
        numbers = [];
      } else {
        numbers.push(number);
        const label = new Definition('label', name, at);
        label.value = { parent, parentNumber, numbers: [...numbers] };
        labels.push(label);
      }
    } else if (reader.kind() === TokenKind.number) numbers.push(takeSubIdentifier(reader));
    else {
      // `.` and `,` between the numbers are a frequent mistake; anything else is not part of an OID.
      reader.warn('oid-syntax', `${reader.describe()} has no meaning in an OID.`);
      if (reader.isSymbol('{') || reader.kind() === TokenKind.assign) break;
      reader.skip();
    }
    isFirst = false;
    if (numbers.length > maxNumbers) {
      reader.report('error', 'oid-too-long', `An OID has at most ${maxNumbers} numbers.`, start);
      while (!reader.isEnd() && !reader.takeSymbol('}')) reader.skip();
      return undefined;
    }
  }
  if (!isFirst) return { parent, parentNumber, numbers };
  reader.report('error', 'oid-syntax', 'An OID in braces is empty.', start);
  return undefined;
}

/** `{ ifIndex, IMPLIED name }`; undefined when there are no braces. */
export function parseNames(reader: TokenReader): { names: string[]; isImplied: boolean } | undefined {
  if (!reader.takeSymbol('{')) {
    reader.warn('missing-brace', `A list of names in braces is missing before ${reader.describe()}.`);
    if (reader.kind() !== TokenKind.name || isBeyondList(reader)) return undefined;
  } else if (reader.takeSymbol('{')) reader.warn('extra-brace', 'The brace of a list is there twice.');
  const names: string[] = [];
  let isImplied = false;
  let hasComma = true;
  while (!reader.isEnd() && !reader.takeSymbol('}')) {
    if (reader.takeWord('IMPLIED')) {
      isImplied = true;
      continue;
    }
    if (isBeyondList(reader)) {
      reader.warn('missing-brace', 'The list of names is not closed.');
      break;
    }
    const at = reader.start;
    if (reader.kind() === TokenKind.name) {
      const name = takeQualifiedName(reader);
      if (!hasComma) reader.warn('missing-comma', `A comma is missing before ${name}.`, at);
      names.push(takeTypeWords(reader, name));
      hasComma = reader.takeSymbol(',');
    } else {
      reader.warn('name-list', `${reader.describe()} has no meaning in a list of names.`);
      if (reader.isSymbol('{') || reader.isSymbol('(')) skipBraces(reader);
      else reader.skip();
    }
  }
  return { names, isImplied };
}

/** SMIv1 allows types as index: `OCTET STRING` is one name. */
function takeTypeWords(reader: TokenReader, name: string): string {
  if (name === 'OCTET' && reader.takeWord('STRING')) return 'OCTET STRING';
  if (name === 'OBJECT' && reader.takeWord('IDENTIFIER')) return 'OBJECT IDENTIFIER';
  return name;
}

/** `Module.name` is `name`: a module has one meaning of a name. */
function takeQualifiedName(reader: TokenReader): string {
  const name = reader.take();
  if (!reader.isSymbol('.') || reader.kind(1) !== TokenKind.name || !/^[A-Z]/.test(name)) return name;
  reader.skip();
  return reader.take();
}

function takeParenthesizedNumber(reader: TokenReader): number | undefined {
  if (!reader.takeSymbol('(')) return undefined;
  const number = reader.kind() === TokenKind.number ? takeSubIdentifier(reader) : undefined;
  if (!reader.takeSymbol(')')) {
    reader.warn('oid-syntax', `A closing parenthesis is missing before ${reader.describe()}.`);
  }
  return number;
}

const maxSubIdentifier = 2 ** 32 - 1;

function takeSubIdentifier(reader: TokenReader): number {
  const at = reader.start;
  const number = Number(reader.take());
  if (number >= 0 && number <= maxSubIdentifier) return number;
  reader.report('error', 'oid-number', `The numbers of an OID go from 0 to ${maxSubIdentifier}.`, at);
  return Math.min(Math.max(number, 0), maxSubIdentifier);
}
