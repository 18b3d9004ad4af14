import { stderr } from 'node:process';

/** Moves to the first column and erases the line. */
const lineStart = '\r\x1b[K';
/** A longer line would wrap and could not be overwritten. */
const maxCharacters = 79;
const barCharacters = 20;

/** One line on standard error that shows progress. Nothing is written when standard error is not a terminal. */
export class StatusLine {
  readonly #write: ((text: string) => void) | undefined;
  #shown = '';

  constructor(write = stderr.isTTY ? (text: string) => void stderr.write(text) : undefined) {
    this.#write = write;
  }

  show(text: string): void {
    const line = text.slice(0, maxCharacters);
    if (line === this.#shown) return;
    this.#shown = line;
    this.#write?.(lineStart + line);
  }

  /** Shows `done` of `total` as a bar. */
  showShare(what: string, done: number, total: number): void {
    const filled = total === 0 ? 0 : Math.round((barCharacters * done) / total);
    const bar = '█'.repeat(filled) + '░'.repeat(barCharacters - filled);
    this.show(`${bar} ${what} ${done}/${total}`);
  }

  clear(): void {
    if (this.#shown !== '') this.#write?.(lineStart);
    this.#shown = '';
  }
}
