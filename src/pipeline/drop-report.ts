const everyMs = 1000;

/** Counts drops at once and reports them by reason, at most once a second. */
export class DropReport {
  readonly #emit: (batches: number, why: string) => void;
  readonly #unreported = new Map<string, number>();
  #total = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (batches: number, why: string) => void) {
    this.#emit = emit;
  }

  get total(): number {
    return this.#total;
  }

  count(batches: number, why: string): void {
    if (batches === 0) return;
    this.#total += batches;
    this.#unreported.set(why, (this.#unreported.get(why) ?? 0) + batches);
    this.#timer ??= setTimeout(() => this.report(), everyMs).unref();
  }

  /** Emits what was not reported yet. */
  report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [why, batches] of this.#unreported) this.#emit(batches, why);
    this.#unreported.clear();
  }
}
