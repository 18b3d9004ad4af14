/**
 * Runs one task at a time. A task that waits is shared by everyone who asks for the same key meanwhile; one that runs is
 * not, for it may have read the files before they were saved.
 */
export class ApplyQueue {
  #last: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Map<string, Promise<unknown>>();

  run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const joined = this.#waiting.get(key);
    if (joined !== undefined) return joined as Promise<Result>;
    const mine = this.#last.then(() => {
      this.#waiting.delete(key);
      return task();
    });
    this.#waiting.set(key, mine);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
