import { env as processEnvironment } from 'node:process';
import type { Collector } from '../kernel/collector.ts';
import { kernelFailure, type WaywiserError } from '../kernel/errors.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import type { CollectorDescription } from '../kernel/plugin.ts';
import type { ServiceToken } from '../kernel/service-token.ts';
import type { CollectorConfig } from './config-object.ts';

/** A collector inside another program. It handles no signals, never ends the process and prints nothing. */
export interface EmbeddedCollector {
  /** Listeners may be added before `start`. */
  readonly events: EventBus;
  /**
   * Starts every plugin, each after what it needs. When one fails, those that had started are stopped before this rejects.
   * Resolves to true when all plugins run, and to false when `stop` was called meanwhile. Rejects with COLLECTOR_STOPPED when it was called before.
   */
  start(): Promise<boolean>;
  /** Stops the plugins, last first. Never rejects: resolves to what went wrong. Later calls share the first. */
  stop(why?: string): Promise<readonly WaywiserError[]>;
  /** The service of a running plugin. Throws when no plugin provides it. */
  getService<Service>(token: ServiceToken<Service>): Service;
  /** The plugins with their states and start times, also before `start` and after `stop`. */
  describe(): CollectorDescription;
}

export interface CollectorSettings {
  /** Receives the log as JSON lines, such as `process.stderr`. Without it the log is discarded. */
  readonly log?: { write(line: string): unknown };
  /** Used for `${env:NAME}` and for overrides such as WAYWISER_LOG_LEVEL; `process.env` by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Makes a collector from a configuration: an object with the keys of `waywiser.yml`, or the path of such a file. Relative
 * paths start at the file, or at the working directory. Rejects with one error that lists every problem; nothing has
 * started then.
 */
export async function createCollector(
  config: CollectorConfig | string,
  { log = { write() {} }, env = processEnvironment }: CollectorSettings = {},
): Promise<EmbeddedCollector> {
  // Loaded here, so that a plugin that imports "waywiser" does not load the parser of the configuration.
  const { assembleCollector, loadSetup } = await import('./collector-setup.ts');
  const { createLogger } = await import('../kernel/logger.ts');
  const setup = await loadSetup(config, { env });
  const { instance, log_level: level } = setup.keys;
  const destination = { write: (line: string) => void log.write(line) };
  const logger = createLogger({ level, instance, destination });
  const onLost = (error: WaywiserError): void => {
    logger.error({ error }, error.message);
    void collector.stop('another collector uses its directories');
  };
  const collector: Collector = assembleCollector(setup, logger, onLost);
  let isStopped = false;
  return {
    events: collector.events,
    async start() {
      if (isStopped) throw kernelFailure('COLLECTOR_STOPPED', {});
      return collector.start();
    },
    stop(why = 'the program stopped it') {
      isStopped = true;
      return collector.stop(why);
    },
    getService: (token) => collector.getService(token),
    describe: () => collector.describe(),
  };
}
