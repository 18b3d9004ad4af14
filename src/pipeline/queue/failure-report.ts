const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;

/**
 * Passes failures of a disk on to a log: each that is another one than the last of its kind, and the same again after pauses that
 * double from a minute to an hour. A disk that fails at every step would fill the log otherwise.
 */
export class FailureReport {
  readonly #report: (error: unknown) => void;
  readonly #now: () => number;
  /** By what was tried and how it failed. */
  readonly #known = new Map<string, { nextMs: number; pauseMs: number }>();

  constructor(report: (error: unknown) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  add(error: unknown): void {
    const nowMs = this.#now();
    const kind = kindOf(error);
    const { nextMs, pauseMs } = this.#known.get(kind) ?? { nextMs: nowMs, pauseMs: firstPauseMs };
    if (nowMs < nextMs) return;
    // What did not come again within a whole pause is news when it does.
    const isNews = nowMs >= nextMs + pauseMs;
    const pause = isNews ? firstPauseMs : pauseMs;
    this.#known.set(kind, { nextMs: nowMs + pause, pauseMs: Math.min(2 * pause, longestPauseMs) });
    this.#report(error);
  }
}

/** A system call and its code; the kinds are few, whatever files there are. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code = error.name, syscall = '' } = error as NodeJS.ErrnoException;
  return `${syscall} ${code}`;
}
