/**
 * Runs one task at a time. All callers with the same key share a task that waits. A running task is not shared, because it may
 * have read the files before a caller saved them.
 */
export class ApplyQueue {
  #last: Promise<unknown> = Promise.resolve();
  readonly #pending = new Map<string, Promise<unknown>>();

  run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const joined = this.#pending.get(key);
    if (joined !== undefined) return joined as Promise<Result>;
    const queued = this.#last.then(() => {
      this.#pending.delete(key);
      return task();
    });
    this.#pending.set(key, queued);
    this.#last = queued.catch(() => undefined);
    return queued;
  }

  /** Resolves when no task runs or waits. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
