import type { SourceText } from '../source-text.ts';
import { CharacterClass, characterClasses } from './character-class.ts';

/** The kind of a token; that of a symbol such as `{` is its character code. */
export const TokenKind = {
  end: 0,
  name: 1,
  number: 2,
  /** In double quotes. */
  text: 3,
  /** `'00FF'H` or `'0101'B`. */
  octets: 4,
  /** `::=` */
  assign: 5,
  /** `..` */
  range: 6,
} as const;

/** More than a file of the largest size has; keeps the arrays small for one that consists of braces. */
const maxTokens = 8_000_000;

/**
 * A line that can only be code. Where a quotation mark is missing, the text before it ends there: only in files whose quotation
 * marks are odd in number, because a description may quote a definition.
 */
const codeLine =
  /[\r\n][ \t]*(?:(?:[A-Za-z][\w-]*[ \t]+(?:OBJECT-TYPE|OBJECT-IDENTITY|OBJECT-GROUP|NOTIFICATION-TYPE|NOTIFICATION-GROUP|TRAP-TYPE|MODULE-COMPLIANCE|OBJECT[ \t]+IDENTIFIER[ \t]*::=|::=[ \t]*(?:TEXTUAL-CONVENTION|SEQUENCE))|END)[ \t]*[\r\n{]|::=[ \t]*\{|(?:INDEX|AUGMENTS|DEFVAL)[ \t]*\{)/;

/** Cuts a text into tokens. One tokenizer serves many files one after another: its arrays grow to the largest file. */
export class Tokenizer {
  count = 0;
  kinds = new Uint8Array(65_536);
  starts = new Uint32Array(65_536);
  ends = new Uint32Array(65_536);
  #source!: SourceText;

  /** The last token is of the kind `end`. */
  tokenize(source: SourceText): void {
    this.#source = source;
    this.#reserve(Math.min(Math.ceil(source.text.length / charactersPerToken), maxTokens));
    this.#run(false);
    const hasOpenText = this.count > 1 && this.#isOpenText(this.count - 2);
    if (hasOpenText) this.#run(true);
    for (let token = 0; hasOpenText && token < this.count; token++) {
      if (this.#isOpenText(token)) {
        const message = 'The text that begins here has no closing quotation mark.';
        source.report('warning', 'unterminated-text', message, this.starts[token]!);
      }
    }
  }

  #isOpenText(token: number): boolean {
    if (this.kinds[token] !== TokenKind.text) return false;
    const end = this.ends[token]!;
    return end - this.starts[token]! === 1 || this.#source.text.charCodeAt(end - 1) !== quote;
  }

  #run(cutsTexts: boolean): void {
    const { text } = this.#source;
    const { length } = text;
    this.count = 0;
    let at = 0;
    while (at < length) {
      const start = at;
      const kind = classOf(text.charCodeAt(at));
      if (kind === CharacterClass.space) {
        at++;
        continue;
      }
      if (kind === CharacterClass.letter) {
        at = findNameEnd(text, at);
        this.#add(TokenKind.name, start, at);
      } else if (kind === CharacterClass.symbol) {
        at++;
        this.#add(text.charCodeAt(start), start, at);
      } else at = this.#takeOther(kind, at, cutsTexts);
      if (this.count >= maxTokens) {
        const message = `The file has more than ${maxTokens} words. What follows is not read.`;
        this.#source.report('error', 'too-many-words', message, at);
        break;
      }
    }
    this.#add(TokenKind.end, at, at);
  }

  /** Of its own, so that the loop is small and what a file has first in its middle does not make the compiled loop useless. */
  #takeOther(kind: number, start: number, cutsTexts: boolean): number {
    const { text } = this.#source;
    switch (kind) {
      case CharacterClass.digit: {
        const end = findNumberEnd(text, start);
        const isName = classOf(text.charCodeAt(end)) === CharacterClass.letter;
        return this.#add(
          isName ? TokenKind.name : TokenKind.number,
          start,
          isName ? findNameEnd(text, end) : end,
        );
      }
      case CharacterClass.quote:
        return this.#add(
          TokenKind.text,
          start,
          cutsTexts ? findCutEnd(text, start) : findTextEnd(text, start),
        );
      case CharacterClass.dash:
        if (text.charCodeAt(start + 1) === dash) return findCommentEnd(text, start);
        if (classOf(text.charCodeAt(start + 1)) === CharacterClass.digit)
          return this.#add(TokenKind.number, start, findNumberEnd(text, start + 1));
        break;
      case CharacterClass.colon:
        if (text.startsWith('::=', start)) return this.#add(TokenKind.assign, start, start + 3);
        break;
      case CharacterClass.dot: {
        const isRange = text.charCodeAt(start + 1) === dot;
        return this.#add(isRange ? TokenKind.range : dot, start, start + (isRange ? 2 : 1));
      }
      case CharacterClass.apostrophe: {
        const end = findOctetsEnd(text, start);
        if (end !== undefined) return this.#add(TokenKind.octets, start, end);
      }
    }
    return this.#skipUnknown(start, !cutsTexts);
  }

  /** A run of unknown characters is one problem. */
  #skipUnknown(at: number, reports: boolean): number {
    const { text } = this.#source;
    let end = at + 1;
    while (end < text.length && classOf(text.charCodeAt(end)) === CharacterClass.unknown) end++;
    if (reports && !this.#source.isFull) {
      const message = `${JSON.stringify(text.slice(at, Math.min(end, at + 20)))} has no meaning here.`;
      this.#source.report('warning', 'unexpected-character', message, at);
    }
    return end;
  }

  /** Returns where the token ends. */
  #add(kind: number, start: number, end: number): number {
    const index = this.count++;
    if (index === this.kinds.length) this.#reserve(index * 2);
    this.kinds[index] = kind;
    this.starts[index] = start;
    this.ends[index] = end;
    return end;
  }

  /** Arrays that are replaced while tokens are added make the compiled loop useless. */
  #reserve(size: number): void {
    const { kinds, starts, ends } = this;
    if (size <= kinds.length) return;
    this.kinds = new Uint8Array(size);
    this.starts = new Uint32Array(size);
    this.ends = new Uint32Array(size);
    this.kinds.set(kinds);
    this.starts.set(starts);
    this.ends.set(ends);
  }
}

/** Few files have more tokens than one for this many characters. */
const charactersPerToken = 5;

const quote = 0x22;
const dash = 0x2d;
const dot = 0x2e;

function classOf(code: number): number {
  return code < 256 ? characterClasses[code]! : CharacterClass.unknown;
}

function findNameEnd(text: string, at: number): number {
  for (let end = at + 1; ; end++) {
    const kind = classOf(text.charCodeAt(end));
    if (kind === CharacterClass.letter || kind === CharacterClass.digit) continue;
    if (kind !== CharacterClass.dash || text.charCodeAt(end + 1) === dash) return end;
  }
}

function findNumberEnd(text: string, at: number): number {
  let end = at + 1;
  while (classOf(text.charCodeAt(end)) === CharacterClass.digit) end++;
  return end;
}

function findTextEnd(text: string, at: number): number {
  const end = text.indexOf('"', at + 1);
  return end === -1 ? text.length : end + 1;
}

function findCutEnd(text: string, at: number): number {
  const end = findTextEnd(text, at);
  const cut = codeLine.exec(text.slice(at, end))?.index;
  return cut === undefined ? end : at + Math.max(cut, 1);
}

/** `'…'H` or `'…'B`; the spaces inside do not count. */
function findOctetsEnd(text: string, at: number): number | undefined {
  const end = text.indexOf("'", at + 1);
  if (end === -1 || end - at > maxOctets || !/[HhBb]/.test(text[end + 1] ?? '')) return undefined;
  return /^[0-9A-Fa-f\s]*$/.test(text.slice(at + 1, end)) ? end + 2 : undefined;
}

/** Longer ones are default values that nobody writes. */
const maxOctets = 100_000;

/**
 * A comment ends with its line or at the next two dashes. More than two dashes are a ruler: at the beginning they make the
 * whole line a comment, later they do not end it.
 */
function findCommentEnd(text: string, at: number): number {
  const lineEnd = findLineEnd(text, at + 2);
  if (text.charCodeAt(at + 2) === dash) return lineEnd;
  for (let end = at + 2; ; ) {
    end = text.indexOf('--', end);
    if (end === -1 || end >= lineEnd) return lineEnd;
    const start = end;
    while (text.charCodeAt(end) === dash) end++;
    if (end - start === 2) return end;
  }
}

function findLineEnd(text: string, at: number): number {
  let end = at;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x0a || code === 0x0d) break;
  }
  return end;
}
