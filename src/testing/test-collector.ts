import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestFinder } from '../collector/built-in-plugins.ts';
import { assembleCollector, loadSetup } from '../collector/collector-setup.ts';
import { explainError, kernelFailure } from '../kernel/errors.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import { createLogger, type LogLevel } from '../kernel/logger.ts';
import { type CollectorDescription, definePlugin, type Plugin } from '../kernel/plugin.ts';
import type { AnyServiceToken, ServiceToken } from '../kernel/service-token.ts';
import { pipelineToken } from '../pipeline/pipeline.ts';
import { shardsToken } from '../sharding/shards.ts';

export interface TestPlugin {
  readonly plugin: Plugin;
  /** As in the configuration file: checked, with defaults filled in. Paths are relative to the state directory. */
  readonly options?: unknown;
  /** The instance's name, when it is not the plugin's own. */
  readonly name?: string;
}

/** A fake service: its token and its value. */
export type FakeService = readonly [token: AnyServiceToken, value: unknown];

export interface TestCollectorOptions {
  readonly plugins: readonly TestPlugin[];
  readonly services?: readonly FakeService[];
  /** The variables for `${env:NAME}`. */
  readonly env?: Readonly<Record<string, string>>;
  /** A directory that survives the stop; by default a temporary one that `stop` removes. */
  readonly stateDirectory?: string;
  /** The lowest level that `logLines` contains; `debug` by default. */
  readonly logLevel?: LogLevel;
}

export interface TestCollector extends AsyncDisposable {
  readonly events: EventBus;
  readonly stateDirectory: string;
  /** The log from `logLevel` on, as objects. */
  readonly logLines: readonly Readonly<Record<string, unknown>>[];
  getService<Service>(token: ServiceToken<Service>): Service;
  describe(): CollectorDescription;
  /** Rejects with everything that went wrong while stopping. A second call does nothing more. `await using` calls it. */
  stop(): Promise<void>;
}

/**
 * Starts a collector of the given plugins only, with fakes for the other services that they need. The pipeline is the real one
 * unless a fake replaces it. Rejects when options are wrong or a start fails; nothing is left then.
 */
export async function startTestCollector(options: TestCollectorOptions): Promise<TestCollector> {
  const { collector, ...rest } = await prepareTestCollector(options);
  try {
    await collector.start();
  } catch (error) {
    await rest.stop().catch(() => {});
    throw error;
  }
  return {
    ...rest,
    [Symbol.asyncDispose]: rest.stop,
    events: collector.events,
    getService: (token) => collector.getService(token),
    describe: () => collector.describe(),
  };
}

/** A test collector that has not started yet. */
export async function prepareTestCollector(options: TestCollectorOptions) {
  const { plugins, services = [], env = {}, logLevel = 'debug' } = options;
  const stateDirectory = options.stateDirectory ?? (await mkdtemp(join(tmpdir(), 'waywiser-')));
  const removeState = async () => {
    if (options.stateDirectory === undefined) await rm(stateDirectory, { recursive: true, force: true });
  };
  const logLines: Record<string, unknown>[] = [];
  try {
    const given = [...services.map(createFake), ...plugins];
    const config = {
      instance: 'test',
      state_directory: stateDirectory,
      replace: Object.fromEntries(
        given
          .filter(({ plugin }) => replaceable.has(plugin.provides?.name))
          .map(({ plugin, name = plugin.name }) => [plugin.provides!.name, name]),
      ),
      plugins: nameAll(given),
    };
    const setup = await loadSetup(config, {
      env,
      directory: stateDirectory,
      createFinder: createTestFinder,
    });
    const destination = { write: (line: string) => void logLines.push(JSON.parse(line)) };
    const log = createLogger({ level: logLevel, instance: 'test', destination });
    const collector = assembleCollector(setup, log);
    const stop = async () => {
      const failures = await collector.stop('the test ended');
      await removeState();
      if (failures.length > 0) throw new AggregateError(failures, failures.map(explainError).join('\n'));
    };
    return { collector, stateDirectory, logLines, stop };
  } catch (error) {
    await removeState();
    throw error;
  }
}

function nameAll(plugins: readonly TestPlugin[]) {
  const named: Record<string, [plugin: Plugin, options: object]> = {};
  for (const { plugin, name = plugin.name, options } of plugins) {
    if (name in named) throw kernelFailure('PLUGIN_NAME_TAKEN', { plugin: name });
    named[name] = [plugin, (options ?? {}) as object];
  }
  return named;
}

/** The built-in services in a test collector. */
const replaceable: ReadonlySet<string | undefined> = new Set([pipelineToken.name, shardsToken.name]);

function createFake([token, value]: FakeService): TestPlugin {
  const plugin = definePlugin({
    name: `fake-${token.name}`,
    kind: 'service',
    summary: 'Stands in for a plugin.',
    provides: token,
    start: () => value,
  });
  return { plugin };
}
