import { cwd } from 'node:process';
import { orderForBoot, type PluginInstance } from './boot-order.ts';
import type { WaywiserError } from './errors.ts';
import { type EventBus, EventExchange } from './event-bus.ts';
import { PluginRun } from './lifecycle.ts';
import { lockService } from './lock-service.ts';
import type { Logger } from './logger.ts';
import type { CollectorDescription, CollectorFacts, PluginDescription, ServiceUser } from './plugin.ts';
import type { ServiceToken } from './service-token.ts';

/** A plugin with its checked options, ready to start. */
export interface ConfiguredPlugin extends PluginInstance {
  readonly options: unknown;
  /** Where its options come from, by name. */
  readonly origins?: Readonly<Record<string, string>>;
}

export interface CollectorOptions {
  readonly instance: string;
  readonly version: string;
  /** Where relative paths of the configuration start; the working directory by default. */
  readonly directory?: string;
  /** Absolute. */
  readonly stateDirectory: string;
  /** Absolute. */
  readonly secretsDirectory?: string | undefined;
  readonly log: Logger;
  readonly plugins: readonly ConfiguredPlugin[];
  /**
   * Called before the first plugin starts. A rejection is a failed start. What it resolves to is called after the last plugin has stopped.
   * The signal aborts when the stop is requested meanwhile.
   */
  readonly prepare?: (signal: AbortSignal) => Promise<() => void>;
}

interface PlannedRun {
  readonly run: PluginRun;
  readonly options: unknown;
  readonly origins: Readonly<Record<string, string>>;
  readonly isBuiltIn: boolean;
}

interface RunningService {
  readonly provided: unknown;
  /** Of its plugin. */
  readonly run: PluginRun;
  readonly isBuiltIn: boolean;
}

/** A set of plugins that start together, in the order of their needs, and stop in the exact reverse order. */
export class Collector {
  readonly events: EventBus;
  readonly #exchange: EventExchange;
  readonly #log: Logger;
  readonly #facts: CollectorFacts;
  readonly #planned: readonly PlannedRun[];
  readonly #services = new Map<string, RunningService>();
  readonly #prepare: CollectorOptions['prepare'];
  readonly #stopping = new AbortController();
  #release: () => void = () => {};
  #bootMs = 0;
  #stopped: Promise<readonly WaywiserError[]> | undefined;

  /** Throws when the plugins do not fit together; nothing has started then. */
  constructor(options: CollectorOptions) {
    const { instance, version, stateDirectory, secretsDirectory, log, plugins, prepare } = options;
    const { directory = cwd() } = options;
    this.#log = log;
    this.#prepare = prepare;
    this.#exchange = new EventExchange(log);
    this.events = this.#exchange.open('collector').bus;
    this.#facts = Object.freeze({
      instance,
      version,
      directory,
      stateDirectory,
      secretsDirectory,
      describe: () => this.describe(),
    });
    this.#planned = orderForBoot(plugins).map(
      ({ name, plugin, options, origins = {}, isBuiltIn = false }) => ({
        run: new PluginRun(name, plugin),
        options,
        origins,
        isBuiltIn,
      }),
    );
  }

  /**
   * Starts every plugin. When one fails, those that had started are stopped before this rejects; `stop` resolves to
   * what else went wrong. Resolves to true when all plugins run, to false when `stop` was called before or meanwhile.
   */
  async start(): Promise<boolean> {
    const begun = performance.now();
    try {
      this.#release = (await this.#prepare?.(this.#stopping.signal)) ?? this.#release;
    } catch (error) {
      if (this.#stopped === undefined) throw error;
    }
    for (const planned of this.#planned) {
      if (this.#stopped === undefined) await this.#startOne(planned);
    }
    if (this.#stopped !== undefined) {
      await this.#stopped;
      this.#release();
      return false;
    }
    this.#bootMs = performance.now() - begun;
    this.events.emit('collector.ready', {});
    return true;
  }

  /** Stops the plugins that had started, last first, and resolves to everything that went wrong. Later calls share the first. */
  stop(why: string): Promise<readonly WaywiserError[]> {
    this.#stopped ??= this.#stopAll(why);
    return this.#stopped;
  }

  /** The service as a plugin that is not built in receives it. */
  getService<Service>(token: ServiceToken<Service>): Service {
    if (!this.#services.has(token.name)) throw new Error(`The service "${token.name}" is not running.`);
    return this.#viewOf(token.name, { name: 'collector', isBuiltIn: false }) as Service;
  }

  describe(): CollectorDescription {
    return {
      bootMs: this.#bootMs,
      plugins: this.#planned.map((planned) => this.#describeRun(planned)),
    };
  }

  async #startOne({ run, options, isBuiltIn }: PlannedRun): Promise<void> {
    const { name, plugin } = run;
    const view = this.#exchange.open(name);
    run.signal.addEventListener('abort', () => view.dispose(), { once: true });
    const log = this.#log.child({ plugin: name });
    const user = { name, isBuiltIn };
    const needs = Object.fromEntries(
      Object.entries(plugin.needs).map(([key, token]) => [key, this.#viewOf(token.name, user)]),
    );
    const given = { name, options, needs, events: view.bus, log, collector: this.#facts };
    try {
      const provided = await run.start(given);
      if (plugin.provides !== undefined)
        this.#services.set(plugin.provides.name, { provided, run, isBuiltIn });
      log.debug({ startMs: Math.round(run.startMs) }, 'The plugin has started.');
    } catch (error) {
      if (this.#stopped !== undefined) return log.warn({ error }, 'The start was interrupted by the stop.');
      await this.stop(`${name} failed to start`);
      throw error;
    }
  }

  #viewOf(service: string, user: ServiceUser): unknown {
    const { provided, run, isBuiltIn } = this.#services.get(service)!;
    const view = run.plugin.viewFor?.(provided, user) ?? provided;
    return isBuiltIn && !user.isBuiltIn ? lockService(view) : view;
  }

  async #stopAll(why: string): Promise<readonly WaywiserError[]> {
    this.#stopping.abort();
    this.events.emit('collector.stopping', { why });
    // When a listener called `stop`, the event is delivered once that listener has returned; no plugin may end before.
    await Promise.resolve();
    const failures: WaywiserError[] = [];
    for (const { run } of this.#planned.toReversed()) {
      for (const error of await run.stop()) {
        failures.push(error);
        this.#log.error({ plugin: run.name, error }, error.message);
      }
    }
    this.#services.clear();
    this.#release();
    this.#log.flush();
    return failures;
  }

  #describeRun({ run, options, origins }: PlannedRun): PluginDescription {
    const { name, plugin, state, startMs } = run;
    const providers = new Map(this.#planned.map(({ run }) => [run.plugin.provides?.name, run.name]));
    return {
      name,
      plugin: plugin.name,
      kind: plugin.kind,
      state,
      needs: Object.values(plugin.needs).map((token) => providers.get(token.name) ?? token.name),
      provides: plugin.provides?.name,
      startMs,
      listenerFailures: this.#exchange.failures.get(name) ?? 0,
      options,
      origins,
    };
  }
}
