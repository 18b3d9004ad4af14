import { fileURLToPath } from 'node:url';
import { findMissingServices } from '../../kernel/boot-order.ts';
import type { ConfiguredPlugin } from '../../kernel/collector.ts';
import {
  ConfigFile,
  type ConfigProblem,
  checkCollectorKeys,
  configFailure,
} from '../../kernel/config-file.ts';
import { explainError, kernelFailure, WaywiserError } from '../../kernel/errors.ts';
import type { LogLevel } from '../../kernel/logger.ts';
import { type FoundPlugin, PluginFinder } from '../../kernel/plugin-finder.ts';
import { checkOptions } from '../../kernel/plugin-options.ts';
import { pipelinePlugin } from '../../pipeline/pipeline-plugin.ts';
import { type Environment, findStrayVariables, overrideOptions } from './environment.ts';

/** The collector-wide keys of the configuration, checked; paths are absolute. */
export interface CollectorKeys {
  readonly instance: string;
  readonly state_directory: string;
  readonly secrets_directory?: string;
  readonly log_level: LogLevel;
  readonly plugins: Readonly<Record<string, unknown>>;
}

/** Everything that a collector starts from. */
export interface CollectorSetup {
  readonly keys: CollectorKeys;
  readonly plugins: readonly (ConfiguredPlugin & {
    readonly origin: string;
    /** Under which it is in the configuration; undefined for one that others need. */
    readonly key: string | undefined;
  })[];
}

/** Where the built-in plugins are: plugins/ beside src/, and the outputs one level deeper. */
export const builtInRoots = ['../../../plugins/', '../../../plugins/outputs/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/**
 * Reads the configuration, finds its plugins and checks every option. Throws one error with all problems. With `only`, the
 * plugins under other keys are neither found nor checked.
 */
export async function loadSetup(
  configPath: string,
  env: Environment,
  only?: readonly string[],
): Promise<CollectorSetup> {
  const file = new ConfigFile(configPath);
  if (file.problems.length > 0) throw configFailure(file.path, file.problems);
  const checked = checkCollectorKeys(file, env);
  const problems: ConfigProblem[] = checked.problems.map(({ path, rule, message }) =>
    file.problemAt(path, rule, message),
  );
  const keys = (checked.options ?? { plugins: pluginsOf(file.value) }) as CollectorKeys;
  const finder = new PluginFinder({ always: [pipelinePlugin], builtInRoots, directory: file.directory });
  const wanted = Object.keys(keys.plugins).filter((key) => only?.includes(key) ?? true);
  const named = await findNamed(wanted, finder, file, problems);
  const found = [...named.values(), ...(await findNeeded([...named.values()], finder))];
  const sources = { baseDirectory: file.directory, secrets: { env, directory: keys.secrets_directory } };
  const keyOf = new Map([...named].map(([key, { name }]) => [name, key]));

  const plugins = found.map(({ name, plugin, origin }) => {
    const key = keyOf.get(name) ?? name;
    const raw = overrideOptions(name, plugin.options, keys.plugins[key], env);
    const { options, problems: wrong } = checkOptions(plugin.options, raw, sources);
    for (const { path, rule, message } of wrong) {
      // Without valid keys nobody knows the secrets directory.
      if (rule === 'secret' && checked.options === undefined) continue;
      problems.push(file.problemAt(['plugins', key, ...path], rule, `${name}: ${message}`));
    }
    return { name, plugin, options, origin, key: keyOf.get(name) };
  });
  for (const message of only === undefined ? findStrayVariables(plugins, env) : [])
    problems.push(file.problemAt(['plugins'], 'environment', message));
  if (problems.length > 0) throw configFailure(file.path, problems);
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
  file: ConfigFile,
  problems: ConfigProblem[],
): Promise<Map<string, FoundPlugin>> {
  const found = new Map<string, FoundPlugin>();
  const names = new Set<string>();
  for (const key of keys) {
    try {
      const plugin = await finder.find(key);
      if (names.has(plugin.name)) throw kernelFailure('PLUGIN_NAME_TAKEN', { plugin: plugin.name });
      names.add(plugin.name);
      found.set(key, plugin);
    } catch (error) {
      const rule = error instanceof WaywiserError ? error.code : 'plugin';
      problems.push(file.problemAt(['plugins', key], rule, explainError(error)));
    }
  }
  return found;
}

/** Service plugins that others need, whose options all have defaults and that the configuration does not name. */
async function findNeeded(named: readonly FoundPlugin[], finder: PluginFinder): Promise<FoundPlugin[]> {
  const found = [...named];
  let offered: FoundPlugin[] | undefined;
  for (;;) {
    const missing = findMissingServices(found);
    if (missing.size === 0) break;
    offered ??= await findOffered(named, finder);
    const next = offered.find(({ plugin }) => missing.has(plugin.provides?.name ?? ''));
    if (next === undefined) break;
    found.push(next);
  }
  return found.slice(named.length);
}

async function findOffered(named: readonly FoundPlugin[], finder: PluginFinder): Promise<FoundPlugin[]> {
  const free = finder.builtInNames.filter((name) => !named.some((found) => found.plugin.name === name));
  const offered = await Promise.all(free.map((name) => finder.find(name)));
  return offered.filter(({ plugin: { kind, options } }) => {
    const isGiven = (key: string) => options.properties[key]?.['default'] !== undefined;
    return kind === 'service' && (options.required ?? []).every(isGiven);
  });
}
