/**
 * Runs one task at a time. A task that waits is shared by everyone who asks for the same key meanwhile; one that runs is
 * not, for it may have read the files before they were saved.
 */
export class ApplyQueue {
  #last: Promise<unknown> = Promise.resolve();
  readonly #pending = new Map<string, Promise<unknown>>();

  run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const joined = this.#pending.get(key);
    if (joined !== undefined) return joined as Promise<Result>;
    const mine = this.#last.then(() => {
      this.#pending.delete(key);
      return task();
    });
    this.#pending.set(key, mine);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
