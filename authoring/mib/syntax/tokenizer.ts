import type { SourceText } from '../source-text.ts';
import { CharacterClass, characterClasses } from './character-class.ts';
import { curlyTextEnd, hasCurlyQuote, isCurlyQuote, isLongDash, isShortDash } from './word-marks.ts';

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

/** Code at the beginning of a text, or a line that can only be code. Where a quotation mark is missing, the text before it ends there. */
const codeLine =
  /(?:^.|[\r\n])[ \t]*(?:(?:[A-Za-z][\w-]*[ \t]+(?:OBJECT-TYPE|OBJECT-IDENTITY|OBJECT-GROUP|NOTIFICATION-TYPE|NOTIFICATION-GROUP|TRAP-TYPE|MODULE-COMPLIANCE|OBJECT[ \t]+IDENTIFIER[ \t]*::=|::=[ \t]*(?:TEXTUAL-CONVENTION|SEQUENCE))|END)[ \t]*(?:[\r\n{]|SYNTAX[ \t]|STATUS[ \t])|::=[ \t]*\{|(?:INDEX|AUGMENTS|DEFVAL)[ \t]*\{|SYNTAX[ \t]+[A-Z]|(?:MAX-ACCESS|ACCESS|STATUS)[ \t]+[a-z])/;

/** Cuts a text into tokens. One tokenizer serves many files one after another: its arrays grow to the largest file. */
export class Tokenizer {
  count = 0;
  kinds = new Uint8Array(65_536);
  starts = new Uint32Array(65_536);
  ends = new Uint32Array(65_536);
  #source!: SourceText;
  #hasCurlyQuotes = false;
  #hasCuts = false;
  /** Rules of which a file has one problem, at the first place. */
  readonly #reported = new Set<string>();

  /** The last token is of the kind `end`. */
  tokenize(source: SourceText): void {
    this.#source = source;
    this.#hasCurlyQuotes = hasCurlyQuote.test(source.text);
    this.#reported.clear();
    this.#reserve(Math.min(Math.ceil(source.text.length / charactersPerToken), maxTokens));
    this.#hasCuts = false;
    this.#run(false);
    const hasOpenText = this.count > 1 && this.#isOpenText(this.count - 2);
    if (hasOpenText && !this.#hasCuts) this.#run(true);
    for (let token = 0; (hasOpenText || this.#hasCuts) && token < this.count; token++) {
      if (this.#isOpenText(token)) {
        const message = 'The text that begins here has no closing quotation mark.';
        source.report('warning', 'unterminated-text', message, this.starts[token]!);
      }
    }
  }

  #isOpenText(token: number): boolean {
    if (this.kinds[token] !== TokenKind.text) return false;
    const end = this.ends[token]!;
    if (end - this.starts[token]! === 1) return true;
    const last = this.#source.text.charCodeAt(end - 1);
    return last !== quote && !isCurlyQuote(last);
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
        return this.#add(TokenKind.text, start, this.#findTextEnd(start, cutsTexts));
      case CharacterClass.dash:
        if (text.charCodeAt(start + 1) === dash) return findCommentEnd(text, start);
        if (classOf(text.charCodeAt(start + 1)) === CharacterClass.digit)
          return this.#add(TokenKind.number, start, findNumberEnd(text, start + 1));
        break;
      case CharacterClass.colon:
        if (text.startsWith('::=', start)) return this.#add(TokenKind.assign, start, start + 3);
        wrongAssign.lastIndex = start;
        if (wrongAssign.test(text)) return this.#takeWrongAssign(start, wrongAssign.lastIndex);
        break;
      case CharacterClass.dot: {
        const isRange = text.charCodeAt(start + 1) === dot;
        return this.#add(isRange ? TokenKind.range : dot, start, start + (isRange ? 2 : 1));
      }
      case CharacterClass.apostrophe: {
        const end = findOctetsEnd(text, start);
        if (end !== undefined) return this.#add(TokenKind.octets, start, end);
        break;
      }
      case CharacterClass.unknown: {
        const end = this.#takeWordMark(start, cutsTexts);
        if (end !== undefined) return end;
      }
    }
    return this.#skipUnknown(start, !cutsTexts);
  }

  /** What a word processor has made of a quotation mark, of two hyphens, or of the one in front of a number. */
  #takeWordMark(start: number, cutsTexts: boolean): number | undefined {
    const { text } = this.#source;
    const code = text.charCodeAt(start);
    if (isCurlyQuote(code)) {
      this.#reportOnce('curly-quotes', 'Curly quotation marks are read as straight ones.', start);
      const end = findCurlyEnd(text, start);
      return this.#add(TokenKind.text, start, this.#cutText(start, end, cutsTexts));
    }
    const isShort = isShortDash(code);
    if (!isShort && !isLongDash(code)) return undefined;
    const next = text.charCodeAt(start + 1);
    const isNumber = isShort && classOf(next) === CharacterClass.digit;
    if (isShort && !isNumber && !isShortDash(next)) return undefined;
    this.#reportOnce(
      'dash-character',
      'Dashes are read as hyphens: two, or a long one, begin a comment.',
      start,
    );
    return isNumber
      ? this.#add(TokenKind.number, start, findNumberEnd(text, start + 1))
      : findLineEnd(text, start);
  }

  #takeWrongAssign(start: number, end: number): number {
    this.#reportOnce('assign-syntax', `${this.#source.text.slice(start, end)} is read as ::= here.`, start);
    return this.#add(TokenKind.assign, start, end);
  }

  #reportOnce(rule: string, message: string, at: number): void {
    if (!this.#reported.has(rule)) this.#source.report('warning', rule, message, at);
    this.#reported.add(rule);
  }

  #findTextEnd(start: number, cutsTexts: boolean): number {
    const { text } = this.#source;
    const end = findTextEnd(text, start);
    const curly = this.#hasCurlyQuotes ? curlyTextEnd.exec(text.slice(start, end))?.index : undefined;
    if (curly !== undefined) {
      this.#reportOnce('curly-quotes', 'Curly quotation marks are read as straight ones.', start + curly);
      return start + curly + 1;
    }
    return this.#cutText(start, end, cutsTexts);
  }

  /**
   * A description may quote a definition. So a text ends at code only where the mark behind it opens the next one, or is missing; and
   * anywhere when the marks of the file are odd in number and no such place is found.
   */
  #cutText(start: number, end: number, cutsAny: boolean): number {
    const { text } = this.#source;
    if (!cutsAny && end < text.length && !isOpened(text, start, end - 1)) return end;
    const cut = findCut(text, start, end);
    this.#hasCuts ||= cut < end;
    return cut;
  }

  /** A run of unknown characters is one problem. */
  #skipUnknown(at: number, reports: boolean): number {
    const { text } = this.#source;
    let end = at + 1;
    while (end < text.length && isMeaningless(text.charCodeAt(end))) end++;
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

/** What people write for `::=`. */
const wrongAssign = /::?[ \t]?:?=|: ?:(?=[ \t]*\{)/y;

/** Few files have more tokens than one for this many characters. */
const charactersPerToken = 5;

const quote = 0x22;
const dash = 0x2d;
const dot = 0x2e;

function classOf(code: number): number {
  return code < 256 ? characterClasses[code]! : CharacterClass.unknown;
}

function isMeaningless(code: number): boolean {
  return classOf(code) === CharacterClass.unknown && !isCurlyQuote(code) && !isLongDash(code);
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

/** Whether the quotation mark at an offset begins a text: the word of its clause is in front of it. */
function isOpened(text: string, start: number, at: number): boolean {
  const before = text.slice(Math.max(start + 1, at - maxClauseGap), at).trimEnd();
  return textClause.test(before);
}

/** The word of a clause and the white space behind it. */
const maxClauseGap = 200;
const textClause =
  /(?:[\s"](?:DESCRIPTION|REFERENCE|UNITS|DISPLAY-HINT|LAST-UPDATED|REVISION|ORGANIZATION|CONTACT-INFO|PRODUCT-RELEASE)|DEFVAL\s*\{)$/;

/** Where code begins in a text without an end. */
function findCut(text: string, start: number, end: number): number {
  const cut = codeLine.exec(text.slice(start, end))?.index;
  return cut === undefined ? end : start + Math.max(cut, 1);
}

/** The next quotation mark of any kind. */
function findCurlyEnd(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === quote || isCurlyQuote(code)) return end + 1;
  }
  return text.length;
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
 * whole line a comment, later they do not end it. A line may have many comments, so nothing behind the end is looked at.
 */
function findCommentEnd(text: string, at: number): number {
  if (text.charCodeAt(at + 2) === dash) return findLineEnd(text, at + 2);
  let end = at + 2;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) {
    const start = end;
    while (text.charCodeAt(end) === dash) end++;
    if (end - start === 2) return end;
    if (end === start) end++;
  }
  return end;
}

function findLineEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return end;
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}
