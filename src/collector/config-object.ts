import type { ConfigProblem, ConfigSource } from '../kernel/config-file.ts';
import type { LogFormat, LogLevel } from '../kernel/logger.ts';
import { isPlugin, type Plugin } from '../kernel/plugin.ts';

/** The options of a plugin that is found by its name, or a plugin of your own, alone or with its options. */
export type ConfiguredEntry = object | null | Plugin | readonly [plugin: Plugin, options: object];

/** What `waywiser.yml` holds, as an object. */
export interface CollectorConfig {
  /** Names this collector in logs and records; `waywiser` by default. */
  readonly instance?: string;
  /** Where the collector keeps what must survive a restart; `./state` by default. */
  readonly state_directory?: string;
  /** Where `${file:name}` references are looked up. */
  readonly secrets_directory?: string;
  readonly log_level?: LogLevel;
  /** Of `waywiser start`. What `createCollector` writes is always JSON. */
  readonly log_format?: LogFormat;
  /** Of `waywiser start`. What `createCollector` makes is always one process. */
  readonly workers?: number | 'auto';
  /** Built-in services that a plugin of yours provides: the service, and the key of that plugin. */
  readonly replace?: Readonly<Record<string, string>>;
  /** By plugin name, package name or relative path, as in the file; `name/instance` runs a plugin a second time. */
  readonly plugins?: Readonly<Record<string, ConfiguredEntry>>;
}

/** A configuration that a program passes as an object. */
export class ConfigObject implements ConfigSource {
  readonly label = 'given as an object';
  readonly directory: string;
  readonly problems = [];
  readonly value: unknown;
  /** The plugins that were passed as values, by their key. */
  readonly plugins: ReadonlyMap<string, Plugin>;

  constructor(config: CollectorConfig, directory: string) {
    this.directory = directory;
    const plugins = new Map<string, Plugin>();
    const options: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(config.plugins ?? {})) {
      const [plugin, given]: readonly unknown[] = Array.isArray(entry) ? entry : [entry, {}];
      if (isPlugin(plugin)) plugins.set(key, plugin);
      options[key] = isPlugin(plugin) ? given : entry;
    }
    this.plugins = plugins;
    this.value = { ...config, plugins: options };
  }

  problemAt(path: readonly string[], rule: string, message: string): ConfigProblem {
    return { place: path.join('.') || 'the configuration', line: 0, column: 0, rule, message };
  }
}
