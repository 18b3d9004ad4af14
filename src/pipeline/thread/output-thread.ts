import type { OutputWriter, Writer } from '../output-writer.ts';
import { type OutputThreadSettings, RunningThread } from './running-thread.ts';

/** An output that runs in a separate thread. Batches are sent there in their binary form; results, events and log entries come back. */
export class OutputThread implements OutputWriter {
  readonly #settings: OutputThreadSettings;
  #running: Promise<RunningThread>;
  #isClosed = false;

  private constructor(settings: OutputThreadSettings) {
    this.#settings = settings;
    this.#running = RunningThread.start(settings);
  }

  /** Throws what `open` of the output throws in the thread. */
  static async open(settings: OutputThreadSettings): Promise<OutputThread> {
    const thread = new OutputThread(settings);
    await thread.#running;
    return thread;
  }

  /** Starts a new thread if the last one has ended. Rejects if that fails. */
  readonly write: Writer = async (batches, { signal }) => {
    const found = this.#running;
    const running = await found.catch(() => undefined);
    if (this.#running === found && (running === undefined || running.hasEnded)) {
      if (this.#isClosed) throw new Error('the output is closed');
      this.#running = RunningThread.start(this.#settings);
    }
    await (await this.#running).write(batches, signal);
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#running.catch(() => undefined))?.close();
  }
}
