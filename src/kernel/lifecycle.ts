import { kernelFailure, type WaywiserError } from './errors.ts';
import type { Plugin, PluginContext, PluginState } from './plugin.ts';

/** What a run needs besides its own lifecycle: everything that the collector knows about the instance. */
export type GivenContext = Omit<PluginContext, 'signal' | 'onStop'>;

type Undo = () => void | Promise<void>;

/** One start and one stop of one plugin: its deadlines, its undo steps, its abort signal and its failures. */
export class PluginRun {
  readonly name: string;
  readonly plugin: Plugin;
  state: PluginState = 'waiting';
  startMs = 0;
  readonly #abort = new AbortController();
  readonly #undos: Undo[] = [];

  constructor(name: string, plugin: Plugin) {
    this.name = name;
    this.plugin = plugin;
  }

  /** Aborts when the run must end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** False once `stop` was called, also while `start` is still under way. */
  get #isStarting(): boolean {
    return this.state === 'starting';
  }

  /** Returns what the plugin provides. When it fails, everything it had done is undone before this rejects. */
  async start(given: GivenContext): Promise<unknown> {
    const begun = performance.now();
    this.state = 'starting';
    try {
      const provided = await this.#startWithinDeadline(given);
      if (this.plugin.provides !== undefined && provided === undefined) {
        throw kernelFailure('PLUGIN_PROVIDED_NOTHING', {
          plugin: this.name,
          service: this.plugin.provides.name,
        });
      }
      if (this.#isStarting) this.state = 'started';
      return provided;
    } catch (error) {
      const failures = await this.stop();
      this.state = 'failed';
      throw failures.length === 0
        ? error
        : new AggregateError([error, ...failures], (error as Error).message);
    } finally {
      this.startMs = performance.now() - begun;
    }
  }

  /** Aborts the signal and runs the undo steps, last first. Never rejects: returns what went wrong. */
  async stop(): Promise<WaywiserError[]> {
    if (this.state === 'waiting' || this.state === 'stopped' || this.state === 'failed') return [];
    this.state = 'stopping';
    const failures: WaywiserError[] = [];
    this.#abort.abort();
    const undone = this.#undoAll(failures);
    const timeoutMs = this.plugin.stopTimeoutMs;
    if ((await withinDeadline(undone, timeoutMs)) === overdue) {
      failures.push(kernelFailure('PLUGIN_STOP_TIMEOUT', { plugin: this.name, timeoutMs }));
    }
    this.state = 'stopped';
    return failures;
  }

  async #startWithinDeadline(given: GivenContext): Promise<unknown> {
    const context = { ...given, signal: this.#abort.signal, onStop: (undo: Undo) => this.#register(undo) };
    const timeoutMs = this.plugin.startTimeoutMs;
    let outcome: unknown;
    try {
      outcome = await withinDeadline(
        Promise.resolve().then(() => this.plugin.start(context)),
        timeoutMs,
      );
    } catch (error) {
      throw kernelFailure('PLUGIN_START_FAILED', { plugin: this.name }, error);
    }
    if (outcome === overdue) throw kernelFailure('PLUGIN_START_TIMEOUT', { plugin: this.name, timeoutMs });
    return outcome;
  }

  /** A start that comes back after its deadline finds its undo steps run at once. */
  #register(undo: Undo): void {
    if (this.state === 'starting' || this.state === 'started') this.#undos.push(undo);
    else void this.#undo(undo, []);
  }

  async #undoAll(failures: WaywiserError[]): Promise<void> {
    for (let undo = this.#undos.pop(); undo !== undefined; undo = this.#undos.pop()) {
      await this.#undo(undo, failures);
    }
  }

  async #undo(undo: Undo, failures: WaywiserError[]): Promise<void> {
    try {
      await undo();
    } catch (error) {
      failures.push(kernelFailure('PLUGIN_STOP_FAILED', { plugin: this.name }, error));
    }
  }
}

const overdue = Symbol('overdue');

async function withinDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T | typeof overdue> {
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof overdue>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, overdue);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
