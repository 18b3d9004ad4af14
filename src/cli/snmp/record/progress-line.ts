import type { Oid } from '../../../model/oid.ts';

/** One line that says how far a recording has come. Written to a terminal, and to nothing else. */
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
/** Keeps the line below 80 columns: a longer one wraps and cannot be written over. */
const maxOidCharacters = 40;
/** Back to the first column, and the rest of the line erased. */
const lineStart = '\r\x1b[K';
