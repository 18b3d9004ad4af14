/** The values of an answer are in memory until it is sent. */
const atOnce = 4;

/** Answers a few questions at a time. Others wait in their order. */
export class QuestionQueue {
  readonly #waiting = new Set<() => void>();
  #running = 0;

  /** Rejects with the signal's reason when that aborts before the work has begun. */
  async run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    if (this.#running >= atOnce) await this.#wait(signal);
    else this.#running++;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** Resolves with the place of a question that has ended. */
  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(begin);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(begin);
        reject(signal.reason);
      };
      signal.throwIfAborted();
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(begin);
    });
  }
}
