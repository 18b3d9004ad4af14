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
      switch (classOf(text.charCodeAt(at))) {
        case CharacterClass.space:
          at++;
          continue;
        case CharacterClass.letter:
          at = findNameEnd(text, at);
          this.#add(TokenKind.name, start, at);
          break;
        case CharacterClass.symbol:
          at++;
          this.#add(text.charCodeAt(start), start, at);
          break;
        case CharacterClass.digit: {
          at = findNumberEnd(text, at);
          const next = classOf(text.charCodeAt(at));
          const isName = next === CharacterClass.letter;
          if (isName) at = findNameEnd(text, at);
          this.#add(isName ? TokenKind.name : TokenKind.number, start, at);
          break;
        }
        case CharacterClass.quote:
          at = cutsTexts ? findCutEnd(text, at) : findTextEnd(text, at);
          this.#add(TokenKind.text, start, at);
          break;
        case CharacterClass.dash:
          if (text.charCodeAt(at + 1) === dash) at = findCommentEnd(text, at);
          else if (classOf(text.charCodeAt(at + 1)) === CharacterClass.digit) {
            at = findNumberEnd(text, at + 1);
            this.#add(TokenKind.number, start, at);
          } else at = this.#skipUnknown(at, !cutsTexts);
          break;
        case CharacterClass.colon:
          if (text.startsWith('::=', at)) {
            at += 3;
            this.#add(TokenKind.assign, start, at);
          } else at = this.#skipUnknown(at, !cutsTexts);
          break;
        case CharacterClass.dot:
          at += text.charCodeAt(at + 1) === dot ? 2 : 1;
          this.#add(at - start === 2 ? TokenKind.range : dot, start, at);
          break;
        case CharacterClass.apostrophe: {
          const octets = findOctetsEnd(text, at);
          if (octets === undefined) at = this.#skipUnknown(at, !cutsTexts);
          else {
            at = octets;
            this.#add(TokenKind.octets, start, at);
          }
          break;
        }
        default:
          at = this.#skipUnknown(at, !cutsTexts);
      }
      if (this.count >= maxTokens) {
        const message = `The file has more than ${maxTokens} words. What follows is not read.`;
        this.#source.report('error', 'too-many-words', message, at);
        break;
      }
    }
    this.#add(TokenKind.end, at, at);
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

  #add(kind: number, start: number, end: number): void {
    const index = this.count++;
    if (index === this.kinds.length) this.#grow();
    this.kinds[index] = kind;
    this.starts[index] = start;
    this.ends[index] = end;
  }

  #grow(): void {
    const size = this.kinds.length * 2;
    const { kinds, starts, ends } = this;
    this.kinds = new Uint8Array(size);
    this.starts = new Uint32Array(size);
    this.ends = new Uint32Array(size);
    this.kinds.set(kinds);
    this.starts.set(starts);
    this.ends.set(ends);
  }
}

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
