import { stderr } from 'node:process';

/** Back to the first column, and the rest of the line erased. */
const lineStart = '\r\x1b[K';
/** A longer line wraps and cannot be written over. */
const maxCharacters = 79;
const barCharacters = 20;

/** One line on standard error that says how far something is. Where nobody watches, nothing is written. */
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

  /** `done` of `total`, as a bar. */
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
