import type { ProblemLevel } from '../mib-problem.ts';
import type { SourceText } from '../source-text.ts';
import { type Tokenizer, TokenKind } from './tokenizer.ts';

/** Reads the tokens of a file one after another. Nothing moves back, so that the work is linear in the file. */
export class TokenReader {
  readonly source: SourceText;
  readonly #tokens: Tokenizer;
  #at = 0;

  constructor(source: SourceText, tokens: Tokenizer) {
    this.source = source;
    this.#tokens = tokens;
  }

  /** The kind of the current token, or of one ahead. */
  kind(ahead = 0): number {
    const at = this.#at + ahead;
    return at < this.#tokens.count ? this.#tokens.kinds[at]! : TokenKind.end;
  }

  isEnd(): boolean {
    return this.kind() === TokenKind.end;
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    return this.kind(ahead) === symbol.charCodeAt(0);
  }

  /** Whether a name is `word`. */
  isWord(word: string, ahead = 0): boolean {
    if (this.kind(ahead) !== TokenKind.name) return false;
    const at = this.#at + ahead;
    const start = this.#tokens.starts[at]!;
    return this.#tokens.ends[at]! - start === word.length && this.source.text.startsWith(word, start);
  }

  /** The current token as it is written. */
  text(ahead = 0): string {
    const at = Math.min(this.#at + ahead, this.#tokens.count - 1);
    return this.source.text.slice(this.#tokens.starts[at], this.#tokens.ends[at]);
  }

  /** How many characters a token has. */
  length(ahead: number): number {
    const at = this.#at + ahead;
    return at < this.#tokens.count ? this.#tokens.ends[at]! - this.#tokens.starts[at]! : 0;
  }

  /** The offset of the current token. */
  get start(): number {
    return this.#tokens.starts[this.#at]!;
  }

  get end(): number {
    return this.#tokens.ends[this.#at]!;
  }

  skip(count = 1): void {
    this.#at = Math.min(this.#at + count, this.#tokens.count - 1);
  }

  /** The text of the current token, which is left behind. */
  take(): string {
    const text = this.text();
    this.skip();
    return text;
  }

  /** Leaves the symbol behind when it is there. */
  takeSymbol(symbol: string): boolean {
    const isThere = this.isSymbol(symbol);
    if (isThere) this.skip();
    return isThere;
  }

  takeWord(word: string): boolean {
    const isThere = this.isWord(word);
    if (isThere) this.skip();
    return isThere;
  }

  takeAssign(): boolean {
    const isThere = this.kind() === TokenKind.assign;
    if (isThere) this.skip();
    return isThere;
  }

  takeName(): string | undefined {
    return this.kind() === TokenKind.name ? this.take() : undefined;
  }

  warn(rule: string, message: string, offset = this.start): void {
    this.report('warning', rule, message, offset);
  }

  report(level: ProblemLevel, rule: string, message: string, offset = this.start): void {
    this.source.report(level, rule, message, offset);
  }

  /** The current token, for messages. */
  describe(): string {
    if (this.isEnd()) return 'the end of the file';
    const text = this.text();
    return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
  }
}
