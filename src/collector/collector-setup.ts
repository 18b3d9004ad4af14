import { cwd } from 'node:process';
import { Collector, type ConfiguredPlugin } from '../kernel/collector.ts';
import {
  ConfigFile,
  type ConfigProblem,
  type ConfigSource,
  checkCollectorKeys,
  configFailure,
} from '../kernel/config-file.ts';
import { explainError, kernelFailure, WaywiserError } from '../kernel/errors.ts';
import type { LogFormat, Logger, LogLevel } from '../kernel/logger.ts';
import { findSchemaFaults } from '../kernel/option-schema.ts';
import type { FoundPlugin, PluginFinder } from '../kernel/plugin-finder.ts';
import { checkOptions } from '../kernel/plugin-options.ts';
import { packageVersion } from '../own-package.ts';
import { createPluginFinder } from './built-in-plugins.ts';
import { claimDirectories } from './claim-directories.ts';
import { type CollectorConfig, ConfigObject } from './config-object.ts';
import { type Environment, findStrayVariables, originsOf, overrideOptions } from './environment.ts';
import { findNeededPlugins } from './needed-plugins.ts';
import { findWrongReplacements } from './replacements.ts';

/** The collector-wide keys of the configuration, checked; paths are absolute. */
export interface CollectorKeys {
  readonly instance: string;
  /** Where relative paths start: the directory of the file. */
  readonly directory: string;
  readonly state_directory: string;
  readonly secrets_directory?: string;
  readonly log_level: LogLevel;
  readonly log_format: LogFormat;
  readonly workers: number | 'auto';
  readonly replace: Readonly<Record<string, string>>;
  readonly plugins: Readonly<Record<string, unknown>>;
}

/** A checked configuration with its plugins. */
export interface CollectorSetup {
  readonly keys: CollectorKeys;
  readonly plugins: readonly (ConfiguredPlugin & {
    readonly origin: string;
    /** Its key in the configuration; undefined for a plugin that was added because others need it. */
    readonly key: string | undefined;
  })[];
}

export interface SetupSettings {
  readonly env: Environment;
  /** When given, the plugins under other keys are neither found nor checked. */
  readonly only?: readonly string[];
  /** Plugins that count as named, without options, when the configuration does not name them. */
  readonly also?: readonly string[];
  /** Takes the place of what is in the configuration file. */
  readonly text?: string | undefined;
  /** Where relative paths of a configuration object start; the working directory by default. */
  readonly directory?: string;
  /** Where plugins come from, when not from the built-in ones and what is installed. */
  readonly createFinder?: (directory: string) => PluginFinder;
}

/**
 * A collector of a checked setup. Nothing has started yet. With `onLost`, no other collector can use its directories while it runs;
 * `onLost` is called when another one has taken them over nevertheless. `onClaimed` is called before the first plugin starts.
 */
export function assembleCollector(
  { keys, plugins }: Pick<CollectorSetup, 'keys'> & { readonly plugins: readonly ConfiguredPlugin[] },
  log: Logger,
  onLost?: (error: WaywiserError) => void,
  onClaimed: () => Promise<void> = async () => {},
): Collector {
  const claim = onLost && claimDirectories(keys.state_directory, plugins, log, onLost, onClaimed);
  return new Collector({
    instance: keys.instance,
    version: packageVersion(),
    directory: keys.directory,
    stateDirectory: keys.state_directory,
    secretsDirectory: keys.secrets_directory,
    log,
    plugins,
    ...(claim === undefined ? {} : { prepare: claim }),
  });
}

/** Reads a configuration, finds its plugins and checks every option. Throws one error with all problems. */
export async function loadSetup(
  config: CollectorConfig | string,
  { env, only, also = [], text, directory = cwd(), createFinder = createPluginFinder }: SetupSettings,
): Promise<CollectorSetup> {
  const source =
    typeof config === 'string' ? new ConfigFile(config, text) : new ConfigObject(config, directory);
  if (source.problems.length > 0) throw configFailure(source.label, source.problems);
  const checked = checkCollectorKeys(source, env);
  const problems: ConfigProblem[] = checked.problems.map(({ path, rule, message }) =>
    source.problemAt(path, rule, message),
  );
  const given = checked.options ?? { plugins: pluginsOf(source.value), replace: {} };
  const keys = { ...(given as Omit<CollectorKeys, 'directory'>), directory: source.directory };
  const finder = createFinder(source.directory);
  const listed = Object.keys(keys.plugins).filter((key) => only?.includes(key) ?? true);
  const wanted = [...listed, ...also.filter((key) => !listed.includes(key))];
  const named = await findNamed(wanted, finder, source, problems);
  const keyOf = new Map([...named].map(([key, { name }]) => [name, key]));
  const needed = await findNeededPlugins([...named.values()], finder);
  for (const { neededBy, error } of needed.failures) {
    const key = keyOf.get(neededBy[0] ?? '') ?? '';
    problems.push(problemOf(error, ['plugins', key], source));
  }
  for (const { path, error } of findWrongReplacements(keys, named, finder)) {
    problems.push(problemOf(error, path, source));
  }
  const sources = { baseDirectory: source.directory, secrets: { env, directory: keys.secrets_directory } };

  const plugins = [...named.values(), ...needed.found].map(({ name, plugin, origin, isBuiltIn }) => {
    const key = keyOf.get(name) ?? name;
    // A plugin that definePlugin did not make.
    const faults = isBuiltIn ? [] : findSchemaFaults(plugin.options, ['options']);
    if (faults.length > 0) {
      problems.push(source.problemAt(['plugins', key], 'plugin', `${name}: ${faults.join(' ')}`));
      return { name, plugin, options: {}, origins: {}, origin, isBuiltIn, key };
    }
    const raw = overrideOptions(name, plugin.options, keys.plugins[key], env);
    const { options, problems: wrong } = checkOptions(plugin.options, raw, sources);
    for (const { path, rule, message } of wrong) {
      // Without valid keys the secrets directory is not known.
      if (rule === 'secret' && checked.options === undefined) continue;
      problems.push(source.problemAt(['plugins', key, ...path], rule, `${name}: ${message}`));
    }
    const origins = originsOf(name, plugin.options, keys.plugins[key], env);
    return { name, plugin, options, origins, origin, isBuiltIn, key: keyOf.get(name) };
  });
  for (const message of only === undefined ? findStrayVariables(plugins, env) : [])
    problems.push(source.problemAt(['plugins'], 'environment', message));
  if (problems.length > 0) throw configFailure(source.label, problems);
  return { keys, plugins };
}

/** What can still be checked of a configuration whose other keys are wrong. */
function pluginsOf(config: unknown): CollectorKeys['plugins'] {
  const plugins = (config as Partial<CollectorKeys> | null)?.plugins;
  return typeof plugins === 'object' && !Array.isArray(plugins) ? (plugins ?? {}) : {};
}

/** The plugins that the configuration names, by their key there. */
async function findNamed(
  keys: readonly string[],
  finder: PluginFinder,
  source: ConfigFile | ConfigObject,
  problems: ConfigProblem[],
): Promise<Map<string, FoundPlugin>> {
  const found = new Map<string, FoundPlugin>();
  const names = new Set<string>();
  for (const key of keys) {
    try {
      const passed = source instanceof ConfigObject ? source.plugins.get(key) : undefined;
      const instance = passed === undefined ? await finder.find(key) : await finder.describe(key, passed);
      if (names.has(instance.name)) throw kernelFailure('PLUGIN_NAME_TAKEN', { plugin: instance.name });
      names.add(instance.name);
      found.set(key, instance);
    } catch (error) {
      problems.push(problemOf(error, ['plugins', key], source));
    }
  }
  return found;
}

function problemOf(error: unknown, path: readonly string[], source: ConfigSource): ConfigProblem {
  const rule = error instanceof WaywiserError ? error.code : 'plugin';
  return source.problemAt(path, rule, explainError(error));
}
