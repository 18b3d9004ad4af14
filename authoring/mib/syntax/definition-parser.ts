import { type ClauseWord, clauseWords, isClauseStart } from './clause-words.ts';
import { countValueTokens, isDefinitionStart } from './definition-start.ts';
import { skipBraces } from './list-end.ts';
import { Definition, type DefinitionForm } from './syntax-tree.ts';
import type { TokenReader } from './token-reader.ts';
import { TokenKind } from './tokenizer.ts';
import { parseType } from './type-parser.ts';
import { parseNames, parseOid } from './value-parser.ts';

/**
 * The clauses and the value of a macro such as OBJECT-TYPE. The reader is behind the name of the macro. Clauses may come in any
 * order. Adds what is defined: nothing when there is no value, and the names inside its OID otherwise.
 */
export function parseMacro(
  reader: TokenReader,
  form: DefinitionForm,
  name: string,
  start: number,
  definitions: Definition[],
): void {
  const definition = new Definition(form, name, start);
  if (form === 'compliance' || reader.isWord('PRODUCT-RELEASE')) parseSkippedBody(reader, definition);
  else parseClauses(reader, definition);
  if (reader.kind() !== TokenKind.assign && !isLastValue(reader, definition)) {
    reader.report('error', 'missing-value', `${name} has no value: ::= is missing.`, start);
    return;
  }
  takeAssign(reader, name);
  if (form === 'trap' && reader.kind() === TokenKind.number) parseTrapNumber(reader, definition, definitions);
  else parseValue(reader, definition, definitions);
}

/** `ENTERPRISE acme … ::= 5` */
function parseTrapNumber(reader: TokenReader, definition: Definition, definitions: Definition[]): void {
  const { name, start, value } = definition;
  const number = Number(reader.take());
  if (value === undefined) {
    reader.report('error', 'missing-enterprise', `The trap ${name} has no ENTERPRISE.`, start);
    return;
  }
  definition.value = { ...value, numbers: [...value.numbers, 0, number] };
  definitions.push(definition);
}

/** Also none, which an OID in braces shows, or two. */
export function takeAssign(reader: TokenReader, name: string): void {
  if (!reader.takeAssign()) reader.warn('missing-assign', `${name} has no ::= before ${reader.describe()}.`);
  else if (reader.kind() === TokenKind.assign) {
    reader.warn('extra-assign', `${name} has ::= twice.`);
    reader.skip();
  }
}

/** The OID of a definition. Adds the definition and the names inside its OID; nothing after an error. */
export function parseValue(reader: TokenReader, definition: Definition, definitions: Definition[]): void {
  const count = definitions.push(definition);
  definition.value = parseOid(reader, definitions);
  if (definition.value === undefined) definitions.length = count - 1;
}

/** `Name ::= TEXTUAL-CONVENTION … SYNTAX type`. The reader is behind TEXTUAL-CONVENTION. */
export function parseTextualConvention(
  reader: TokenReader,
  name: string,
  start: number,
  definitions: Definition[],
): void {
  const definition = new Definition('type', name, start);
  parseClauses(reader, definition);
  if (definition.syntax !== undefined) definitions.push(definition);
  else reader.report('error', 'missing-type', `The textual convention ${name} has no SYNTAX.`, start);
}

function parseClauses(reader: TokenReader, definition: Definition): void {
  let seen = 0;
  let wasUnknown = false;
  while (!reader.isEnd() && reader.kind() !== TokenKind.assign) {
    const word = reader.kind() === TokenKind.name ? reader.text() : '';
    const parseClause = word === '' ? undefined : clauses.get(word);
    if (parseClause === undefined && isBodyEnd(reader, definition)) return;
    // The SYNTAX of a textual convention is its last clause: what follows is no value, and the next definition may be damaged.
    if (parseClause === undefined) {
      if (!wasUnknown) {
        reader.warn('unknown-clause', `${reader.describe()} is no clause of ${definition.name}.`);
      }
      wasUnknown = true;
      if (reader.isSymbol('{') || reader.isSymbol('(')) skipBraces(reader);
      else reader.skip();
      continue;
    }
    wasUnknown = false;
    const bit = clauseBits.get(word)!;
    if ((seen & bit) !== 0) {
      reader.warn('repeated-clause', `${definition.name} has the clause ${word} more than once.`);
    }
    seen |= bit;
    reader.skip();
    parseClause(reader, definition);
  }
}

/** Where the `::=` of the definition is missing. */
function isBodyEnd(reader: TokenReader, definition: Definition): boolean {
  return reader.isWord('END') || isDefinitionStart(reader) || isLastValue(reader, definition);
}

/** `{ parent 1 }` that is not of a clause with a wrong name: neither `::=` nor another clause follows. */
function isLastValue(reader: TokenReader, { form }: Definition): boolean {
  if (reader.kind() === TokenKind.number) return form === 'trap';
  const count = countValueTokens(reader, 0);
  return count > 0 && reader.kind(count) !== TokenKind.assign && !isClauseStart(reader, count);
}

type ClauseParser = (reader: TokenReader, definition: Definition) => void;

const skipText: ClauseParser = (reader, definition) => {
  takeText(reader, definition.name);
};

const takeAccess: ClauseParser = (reader, definition) => {
  definition.access ??= takeWord(reader, definition.name);
};

/** How each clause is read. A clause that is there a second time is read too, and its value is not used. */
const clauseParsers: Readonly<Record<ClauseWord, ClauseParser>> = {
  SYNTAX: (reader, definition) => {
    const syntax = parseType(reader);
    definition.syntax ??= syntax;
  },
  ACCESS: takeAccess,
  'MAX-ACCESS': takeAccess,
  'MIN-ACCESS': takeAccess,
  STATUS: (reader, definition) => {
    const status = takeWord(reader, definition.name);
    definition.status ??= status;
  },
  DESCRIPTION: (reader, definition) => {
    const start = reader.start;
    const end = takeText(reader, definition.name);
    if (end === undefined || definition.descriptionStart >= 0) return;
    definition.descriptionStart = start;
    definition.descriptionEnd = end;
  },
  UNITS: (reader, definition) => {
    const units = takeTextValue(reader, definition.name);
    definition.units ??= units;
  },
  'DISPLAY-HINT': (reader, definition) => {
    const hint = takeTextValue(reader, definition.name);
    definition.hint ??= hint;
  },
  'LAST-UPDATED': (reader, definition) => {
    const start = reader.start;
    const date = takeTextValue(reader, definition.name);
    definition.lastUpdated ??= date === undefined ? undefined : normalizeDate(date);
    if (date !== undefined && definition.lastUpdated === undefined) {
      reader.warn('date-syntax', `"${date.slice(0, 20)}" is not a date such as 202601311200Z.`, start);
    }
  },
  REVISION: skipText,
  ORGANIZATION: skipText,
  'CONTACT-INFO': skipText,
  REFERENCE: skipText,
  INDEX: (reader, definition) => {
    const index = parseNames(reader);
    if (definition.index !== undefined || index === undefined) return;
    definition.index = index.names;
    definition.isImplied = index.isImplied;
  },
  AUGMENTS: (reader, definition) => {
    const names = parseNames(reader)?.names;
    definition.augments ??= names?.[0];
  },
  DEFVAL: (reader, definition) => skipBraced(reader, definition.name),
  OBJECTS: takeObjects,
  NOTIFICATIONS: takeObjects,
  VARIABLES: takeObjects,
  ENTERPRISE: takeEnterprise,
};

const clauses: ReadonlyMap<string, ClauseParser> = new Map(
  clauseWords.map((word) => [word, clauseParsers[word]]),
);

const repeatable: ReadonlySet<string> = new Set(['REVISION', 'DESCRIPTION', 'REFERENCE']);

/** One bit for each clause that a definition may have once: a set of words for each definition costs more than reading its clauses. */
const clauseBits: ReadonlyMap<string, number> = new Map(
  [...clauses.keys()].map((word, index) => [word, repeatable.has(word) ? 0 : 1 << index]),
);

function takeObjects(reader: TokenReader, definition: Definition): void {
  const names = parseNames(reader)?.names;
  definition.objects ??= names;
}

/** The value of a trap without its number: `acme`, `{ acme }` or `{ acme 2 }`. */
function takeEnterprise(reader: TokenReader, definition: Definition): void {
  if (reader.isSymbol('{')) {
    const value = parseOid(reader, []);
    definition.value ??= value;
    return;
  }
  const parent = takeWord(reader, definition.name);
  if (parent !== undefined) definition.value ??= { parent, parentNumber: undefined, numbers: [] };
}

function skipBraced(reader: TokenReader, name: string): void {
  if (reader.isSymbol('{')) skipBraces(reader);
  else {
    reader.warn('missing-brace', `A clause of ${name} has no braces.`);
    if (reader.kind() !== TokenKind.assign && !isDefinitionStart(reader)) reader.skip();
  }
}

function takeWord(reader: TokenReader, name: string): string | undefined {
  if (reader.kind() === TokenKind.name) {
    const word = reader.text();
    if (!clauses.has(word)) {
      reader.skip();
      return word;
    }
  }
  reader.warn('missing-word', `A clause of ${name} has no value before ${reader.describe()}.`);
  return undefined;
}

/** Behind a text, which two adjacent quotation marks continue (`""`). Its end; undefined without a text. */
function takeText(reader: TokenReader, name: string): number | undefined {
  if (reader.kind() !== TokenKind.text) {
    reader.warn('missing-text', `A text of ${name} is missing before ${reader.describe()}.`);
    return undefined;
  }
  let end = reader.end;
  reader.skip();
  for (; reader.kind() === TokenKind.text && reader.start === end; reader.skip()) end = reader.end;
  return end;
}

function takeTextValue(reader: TokenReader, name: string): string | undefined {
  const { start, source } = reader;
  const end = takeText(reader, name);
  return end === undefined ? undefined : source.text.slice(start + 1, end - 1);
}

/** `9611010000Z` or `199611010000Z`; as `YYYYMMDDhhmm`. */
function normalizeDate(date: string): string | undefined {
  const digits = date.trim().replace(/[Zz]$/, '');
  if (/^\d{12}$/.test(digits)) return digits;
  return /^\d{10}$/.test(digits) ? `19${digits}` : undefined;
}

/** MODULE-COMPLIANCE and AGENT-CAPABILITIES: what they say about other objects is not used. */
function parseSkippedBody(reader: TokenReader, definition: Definition): void {
  let wasModule = false;
  while (!reader.isEnd() && reader.kind() !== TokenKind.assign) {
    if (reader.isWord('END') || isLastValue(reader, definition)) return;
    if (!wasModule && isDefinitionStart(reader)) return;
    wasModule = reader.isWord('MODULE');
    const parseClause =
      reader.isWord('STATUS') || reader.isWord('DESCRIPTION') ? clauses.get(reader.text()) : undefined;
    if (reader.isSymbol('{') || reader.isSymbol('(')) skipBraces(reader);
    else reader.skip();
    parseClause?.(reader, definition);
  }
}
