import { kernelFailure, type WaywiserError } from './errors.ts';
import { afterGrantedTime } from './granted-time.ts';
import type { Logger } from './logger.ts';
import type { Plugin, PluginContext, PluginState } from './plugin.ts';

/** The part of a plugin's context that does not depend on its run. */
export type GivenContext = Omit<PluginContext, 'signal' | 'onStop'>;

type Undo = () => void | Promise<void>;

/** One start and one stop of a plugin: deadlines, undo steps, abort signal and failures. */
export class PluginRun {
  readonly name: string;
  readonly plugin: Plugin;
  state: PluginState = 'waiting';
  startMs = 0;
  readonly #abort = new AbortController();
  /** Aborts when the stop no longer waits for the start. */
  readonly #abandon = new AbortController();
  readonly #undos: Undo[] = [];
  readonly #lateUndos: Promise<void>[] = [];
  readonly #failures: WaywiserError[] = [];
  #log: Logger | undefined;
  #starting: Promise<unknown> | undefined;
  #stopping: Promise<readonly WaywiserError[]> | undefined;

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

  /** True once `stop` has resolved: later failures can only be logged. */
  get #isOver(): boolean {
    return this.state === 'stopped' || this.state === 'failed';
  }

  /**
   * Returns the service that the plugin provides. When the start fails, all of it is undone before this rejects; `stop`
   * then resolves to what went wrong while undoing.
   */
  async start(given: GivenContext): Promise<unknown> {
    const begun = performance.now();
    this.state = 'starting';
    this.#log = given.log;
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
      const wasInterrupted = !this.#isStarting;
      this.#starting = undefined;
      await this.stop();
      if (!wasInterrupted) this.state = 'failed';
      throw error;
    } finally {
      this.startMs = performance.now() - begun;
    }
  }

  /**
   * Aborts the signal, runs the undo steps, last first, and waits for a start that is under way. Never rejects: resolves
   * to what went wrong. Later calls share the first.
   */
  stop(): Promise<readonly WaywiserError[]> {
    if (this.state === 'waiting') return Promise.resolve([]);
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<readonly WaywiserError[]> {
    this.state = 'stopping';
    this.#abort.abort();
    const timeoutMs = this.plugin.stopTimeoutMs;
    if ((await withinDeadline(this.#undoEverything(), timeoutMs)) === overdue) {
      this.#failures.push(kernelFailure('PLUGIN_STOP_TIMEOUT', { plugin: this.name, timeoutMs }));
      this.#abandon.abort();
      void this.#undoAll();
    }
    this.state = 'stopped';
    return this.#failures;
  }

  async #startWithinDeadline(given: GivenContext): Promise<unknown> {
    const context = { ...given, signal: this.#abort.signal, onStop: (undo: Undo) => this.#register(undo) };
    const timeoutMs = this.plugin.startTimeoutMs;
    const endReports = reportSlowStart(this.name, timeoutMs, given.log);
    let outcome: unknown;
    try {
      this.#starting = Promise.resolve().then(() => this.plugin.start(context));
      outcome = await Promise.race([withinDeadline(this.#starting, timeoutMs), this.#untilAbandoned()]);
    } catch (error) {
      throw kernelFailure('PLUGIN_START_FAILED', { plugin: this.name }, error);
    } finally {
      endReports();
    }
    if (outcome === abandoned) throw kernelFailure('PLUGIN_START_ABANDONED', { plugin: this.name });
    if (outcome === overdue) throw kernelFailure('PLUGIN_START_TIMEOUT', { plugin: this.name, timeoutMs });
    return outcome;
  }

  /** When a start continues after the stop was requested, its undo steps run immediately. */
  #register(undo: Undo): void {
    this.#undos.push(undo);
    if (this.state !== 'starting' && this.state !== 'started') this.#lateUndos.push(this.#undoAll());
  }

  async #undoEverything(): Promise<void> {
    await this.#undoAll();
    if (this.#starting !== undefined) await this.#waitForStart(this.#starting);
    await Promise.all(this.#lateUndos);
  }

  /** A start that ignores its signal must not delay the stop. Undo steps that it registers later still run. */
  async #waitForStart(starting: Promise<unknown>): Promise<void> {
    const ended = starting.catch(() => {});
    if ((await withinDeadline(ended, abortedStartMs)) !== overdue) return;
    this.#failures.push(kernelFailure('PLUGIN_START_ABANDONED', { plugin: this.name }));
    this.#abandon.abort();
  }

  #untilAbandoned(): Promise<typeof abandoned> {
    const { signal } = this.#abandon;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(abandoned), { once: true });
    });
  }

  async #undoAll(): Promise<void> {
    for (let undo = this.#undos.pop(); undo !== undefined; undo = this.#undos.pop()) await this.#undo(undo);
  }

  async #undo(undo: Undo): Promise<void> {
    try {
      await undo();
    } catch (cause) {
      const error = kernelFailure('PLUGIN_STOP_FAILED', { plugin: this.name }, cause);
      if (this.#isOver) this.#log?.error({ error }, error.message);
      else this.#failures.push(error);
    }
  }
}

const overdue = Symbol('overdue');
const abandoned = Symbol('abandoned');
/** How long a stop waits for a start that has been aborted. */
const abortedStartMs = 1_000;
const firstReportMs = 3_000;

/** Logs that the start still runs, after three seconds and whenever that time has doubled. Returns how to end that. */
function reportSlowStart(plugin: string, timeoutMs: number, log: Logger): () => void {
  let cancel = () => {};
  const scheduleReport = (atMs: number, afterMs: number) => {
    cancel = afterGrantedTime(afterMs, () => {
      const left = `It has failed if this takes longer than ${timeoutMs / 1000} s.`;
      log.warn(`The plugin "${plugin}" is still starting (${atMs / 1000} s). ${left}`);
      scheduleReport(2 * atMs, atMs);
    });
  };
  scheduleReport(firstReportMs, firstReportMs);
  return () => cancel();
}

/** On a busy host the deadline is later by the clock. */
async function withinDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T | typeof overdue> {
  work.catch(() => {});
  let cancel = () => {};
  const deadline = new Promise<typeof overdue>((resolve) => {
    cancel = afterGrantedTime(timeoutMs, () => resolve(overdue));
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    cancel();
  }
}
