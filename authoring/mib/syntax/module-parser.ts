import type { SourceText } from '../source-text.ts';
import { parseMacro, parseTextualConvention, parseValue, takeAssign } from './definition-parser.ts';
import { isDefinitionStart, isModuleStart, macroAt } from './definition-start.ts';
import { skipBraces } from './list-end.ts';
import { Definition, type ImportSyntax, type ModuleSyntax } from './syntax-tree.ts';
import { TokenReader } from './token-reader.ts';
import { Tokenizer, TokenKind } from './tokenizer.ts';
import { parseType } from './type-parser.ts';

/** Of a file: twenty times as many as the largest module has. */
const maxDefinitions = 400_000;
/** Of a file: ten times as many as the largest public collection has in all its files. */
const maxModules = 50_000;

/** Reads the modules of files. A file without modules, such as a README, has no problems either. */
export class ModuleParser {
  readonly #tokens = new Tokenizer();

  parse(source: SourceText): ModuleSyntax[] {
    if (!source.text.includes('DEFINITIONS')) return [];
    this.#tokens.tokenize(source);
    const reader = new TokenReader(source, this.#tokens);
    const modules: ModuleSyntax[] = [];
    let count = 0;
    for (let header = takeHeader(reader); header !== undefined; header = takeHeader(reader)) {
      const module = parseModule(reader, header.name, header.start, maxDefinitions - count);
      modules.push(module);
      count += module.definitions.length;
      const what =
        count >= maxDefinitions
          ? `${maxDefinitions} definitions`
          : modules.length > maxModules
            ? `${maxModules} modules`
            : undefined;
      if (what === undefined) continue;
      const message = `The file has more than ${what}. What follows is not read.`;
      source.report('error', 'too-many-definitions', message, reader.start);
      break;
    }
    if (modules.length === 0) source.problems.length = 0;
    return modules;
  }
}

/** Up to the `::=` of `NAME { oid } DEFINITIONS … ::= BEGIN`, wherever it is. */
function takeHeader(reader: TokenReader): { readonly name: string; readonly start: number } | undefined {
  let name: string | undefined;
  let start = 0;
  let isInBraces = false;
  for (; !reader.isEnd(); reader.skip()) {
    if (reader.isWord('DEFINITIONS') && name !== undefined && takeHeaderEnd(reader)) return { name, start };
    if (reader.isSymbol('{')) isInBraces = true;
    else if (reader.isSymbol('}')) isInBraces = false;
    else if (reader.kind() !== TokenKind.name) name = isInBraces ? name : undefined;
    else if (!isInBraces || reader.isWord('DEFINITIONS', 1)) {
      name = reader.text();
      start = reader.start;
      isInBraces = false;
    }
  }
  return undefined;
}

/** From DEFINITIONS to behind BEGIN: `DEFINITIONS IMPLICIT TAGS ::= BEGIN`. */
function takeHeaderEnd(reader: TokenReader): boolean {
  const ahead = reader.isWord('TAGS', 2) ? 3 : 1;
  if (reader.kind(ahead) !== TokenKind.assign && !reader.isWord('BEGIN', ahead)) return false;
  reader.skip(ahead);
  takeAssign(reader, 'the module');
  if (!reader.takeWord('BEGIN'))
    reader.warn('missing-begin', `BEGIN is missing before ${reader.describe()}.`);
  return true;
}

function parseModule(reader: TokenReader, name: string, start: number, limit: number): ModuleSyntax {
  const imports = new Map<string, ImportSyntax>();
  const definitions: Definition[] = [];
  let lastUpdated: string | undefined;
  let isLost = false;
  checkNameLength(reader, name, start);
  while (definitions.length < limit) {
    if (reader.takeWord('END')) break;
    if (reader.isEnd() || isModuleStart(reader)) {
      reader.warn('missing-end', `END of the module ${name} is missing.`);
      break;
    }
    if (reader.takeWord('IMPORTS')) parseImports(reader, imports);
    else if (reader.takeWord('EXPORTS')) skipExports(reader);
    else if (isDefinitionStart(reader) || isPlainAssignment(reader)) {
      const { length } = definitions;
      parseDefinition(reader, definitions);
      lastUpdated ??= definitions[length]?.lastUpdated;
    } else {
      if (!isLost) reader.warn('unexpected-word', `${reader.describe()} does not start a definition.`);
      isLost = true;
      reader.skip();
      continue;
    }
    isLost = false;
  }
  return { name, source: reader.source, start, lastUpdated, imports, definitions };
}

/** `name ::= { parent 1 }`, where OBJECT IDENTIFIER is missing, or one of its words. */
function isPlainAssignment(reader: TokenReader): boolean {
  if (reader.kind() !== TokenKind.name) return false;
  const ahead = identifierWords.some((word) => reader.isWord(word, 1)) ? 2 : 1;
  if (reader.kind(ahead) !== TokenKind.assign) return false;
  return reader.isSymbol('{', ahead + 1) || (ahead === 1 && reader.isSymbol('[', 2));
}

const identifierWords = ['OBJECT', 'IDENTIFIER', 'OBJECT-IDENTIFIER'];

function parseDefinition(reader: TokenReader, definitions: Definition[]): void {
  const { start } = reader;
  const name = reader.take();
  checkName(reader, name, start);
  const macro = macroAt(reader, 0);
  if (macro !== undefined) {
    reader.skip();
    parseMacro(reader, macro, name, start, definitions);
  } else if (reader.isWord('OBJECT') && reader.isWord('IDENTIFIER', 1)) {
    reader.skip(2);
    takeAssign(reader, name);
    parseValue(reader, new Definition('node', name, start), definitions);
  } else if (reader.takeWord('MACRO')) {
    while (!reader.isEnd() && !reader.takeWord('END')) reader.skip();
  } else {
    if (identifierWords.some((word) => reader.isWord(word))) reader.skip();
    takeAssign(reader, name);
    parseAssigned(reader, name, start, definitions);
  }
}

/** What follows `name ::=`: a type, or the value of a node. */
function parseAssigned(reader: TokenReader, name: string, start: number, definitions: Definition[]): void {
  if (reader.takeWord('TEXTUAL-CONVENTION')) parseTextualConvention(reader, name, start, definitions);
  else if (reader.isSymbol('{')) {
    reader.warn('missing-type', `${name} has no OBJECT IDENTIFIER before its value.`, start);
    parseValue(reader, new Definition('node', name, start), definitions);
  } else {
    const definition = new Definition('type', name, start);
    definition.syntax = parseType(reader);
    if (definition.syntax !== undefined) definitions.push(definition);
  }
}

function checkName(reader: TokenReader, name: string, start: number): void {
  checkNameLength(reader, name, start);
  if (name.includes('_')) reader.warn('name-underscore', `The name ${name} has an underscore.`, start);
  else if (name.endsWith('-')) reader.warn('name-hyphen', `The name ${name} ends with a hyphen.`, start);
  else if (/^\d/.test(name)) reader.warn('name-digit', `The name ${name} starts with a digit.`, start);
}

function checkNameLength(reader: TokenReader, name: string, start: number): void {
  if (name.length <= maxNameLength) return;
  const message = `The name ${name.slice(0, maxNameLength)}… has ${name.length} characters; RFC 2578 allows ${maxNameLength}.`;
  reader.warn('name-length', message, start);
}

/** RFC 2578, 3.1. */
const maxNameLength = 64;

/** `IMPORTS a, b FROM X-MIB c FROM Y-MIB;`, which ends at the next definition where the semicolon is missing. */
function parseImports(reader: TokenReader, imports: Map<string, ImportSyntax>): void {
  let names: { readonly name: string; readonly start: number }[] = [];
  for (; !reader.isEnd(); ) {
    if (reader.takeSymbol(';')) {
      if (names.length > 0) reader.warn('import-syntax', `FROM is missing after ${names.at(-1)!.name}.`);
      return;
    }
    if (reader.takeWord('FROM')) {
      const module = reader.takeName();
      if (module === undefined) reader.warn('import-syntax', 'The module is missing after FROM.');
      else for (const { name, start } of names) imports.set(name, { module, start });
      if (reader.isSymbol('{')) skipBraces(reader);
      names = [];
      reader.takeSymbol(',');
      continue;
    }
    if (isDefinitionStart(reader) || reader.isWord('END')) break;
    const { start } = reader;
    const name = reader.takeName();
    if (name !== undefined) {
      names.push({ name, start });
      if (!reader.takeSymbol(',') && !reader.isWord('FROM') && !reader.isSymbol(';') && !reader.isEnd()) {
        if (!isDefinitionStart(reader)) reader.warn('missing-comma', `A comma is missing after ${name}.`);
      }
    } else {
      reader.warn('import-syntax', `${reader.describe()} has no meaning in a list of imports.`);
      reader.skip();
    }
  }
  reader.warn('missing-semicolon', 'The semicolon at the end of the imports is missing.');
}

function skipExports(reader: TokenReader): void {
  while (!reader.isEnd() && !reader.isWord('IMPORTS') && !isDefinitionStart(reader)) {
    if (reader.takeSymbol(';')) return;
    reader.skip();
  }
}
