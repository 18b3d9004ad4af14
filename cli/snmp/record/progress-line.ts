import type { Oid } from '../../../src/model/index.ts';

/** One line that shows the progress of a recording. Written only to a terminal. */
export class ProgressLine {
  readonly #write: ((text: string) => void) | undefined;
  readonly #now: () => number;
  readonly #startedAtMs: number;
  #shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(write: ((text: string) => void) | undefined, now: () => number) {
    this.#write = write;
    this.#now = now;
    this.#startedAtMs = now();
  }

  show(varbinds: number, oid: Oid): void {
    const nowMs = this.#now();
    if (this.#write === undefined || nowMs - this.#shownAtMs < refreshMs) return;
    this.#shownAtMs = nowMs;
    const seconds = (nowMs - this.#startedAtMs) / 1000;
    this.#write(
      `${lineStart}${varbinds} varbinds in ${seconds.toFixed(1)} s, at ${oid.slice(0, maxOidCharacters)}`,
    );
  }

  clear(): void {
    this.#write?.(lineStart);
  }
}

const refreshMs = 100;
/** Keeps the line below 80 columns: a longer one would wrap and could not be overwritten. */
const maxOidCharacters = 40;
/** Moves to the first column and erases the line. */
const lineStart = '\r\x1b[K';
