import type { BatchEncoder } from '../../model/batch-form/batch-encoder.ts';
import type { Writer } from '../delivery.ts';
import type { OutputContext, OutputWriter } from '../output.ts';
import { RunningThread } from './running-thread.ts';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';

export interface OutputThreadSettings {
  /** The module whose default export is the output plugin. */
  readonly module: string;
  readonly context: OutputContext;
  readonly encoder: BatchEncoder;
  /** Starts the thread: a worker, unless a test wants something quicker. */
  readonly start?: (data: ThreadData) => Thread;
}

/** What of a worker is needed. */
export interface Thread {
  on(event: 'message', listener: (message: FromThread) => void): void;
  on(event: 'error', listener: (error: unknown) => void): void;
  on(event: 'exit', listener: (code: number) => void): void;
  postMessage(message: ToThread, owned: readonly ArrayBuffer[]): void;
  terminate(): Promise<unknown>;
}

/** An output that works in a thread of its own: batches go there in their binary form, and what becomes of them comes back. */
export class OutputThread implements OutputWriter {
  readonly #settings: OutputThreadSettings;
  #running: Promise<RunningThread>;
  #isClosed = false;

  private constructor(settings: OutputThreadSettings) {
    this.#settings = settings;
    this.#running = RunningThread.start(settings);
  }

  /** Throws what the output's own `open` throws there. */
  static async open(settings: OutputThreadSettings): Promise<OutputThread> {
    const thread = new OutputThread(settings);
    await thread.#running;
    return thread;
  }

  /** After its thread has ended a new one is started; the attempt that finds it so fails when that does. */
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
