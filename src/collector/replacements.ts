import { kernelFailure, type WaywiserError } from '../kernel/errors.ts';
import type { FoundPlugin, PluginFinder } from '../kernel/plugin-finder.ts';

interface ReplacementKeys {
  /** Services with the keys of the plugins that may provide them. */
  readonly replace: Readonly<Record<string, string>>;
  readonly plugins: Readonly<Record<string, unknown>>;
}

interface WrongReplacement {
  /** The place in the configuration. */
  readonly path: readonly string[];
  readonly error: WaywiserError;
}

/**
 * What is wrong with the plugins that provide the service of a built-in one. The configuration must allow each of them under
 * `replace`: everything that uses the service would use another one without anybody's knowledge otherwise.
 */
export function* findWrongReplacements(
  { replace, plugins }: ReplacementKeys,
  named: ReadonlyMap<string, FoundPlugin>,
  finder: PluginFinder,
): Generator<WrongReplacement, void> {
  const builtIn = new Set(finder.builtInNames);
  for (const [key, { name, plugin, isBuiltIn }] of named) {
    const service = plugin.provides?.name;
    if (service === undefined || isBuiltIn || !builtIn.has(service) || replace[service] === key) continue;
    const details = { plugin: name, service, example: `{ ${service}: ${key} }` };
    yield { path: ['plugins', key], error: kernelFailure('SERVICE_NOT_YOURS', details) };
  }
  for (const [service, key] of Object.entries(replace)) {
    const found = named.get(key);
    // A plugin that could not be found is a problem of its own; one that was not looked for is none.
    if (found === undefined && key in plugins) continue;
    const reason = reasonAgainst(service, found, builtIn);
    if (reason === undefined) continue;
    const error = kernelFailure('REPLACEMENT_UNKNOWN', { service, plugin: key, reason });
    yield { path: ['replace', service], error };
  }
}

function reasonAgainst(
  service: string,
  found: FoundPlugin | undefined,
  builtIn: ReadonlySet<string>,
): string | undefined {
  if (!builtIn.has(service)) return 'no built-in plugin provides that service';
  if (found === undefined) return 'there is no such key under plugins';
  return found.plugin.provides?.name === service ? undefined : 'that plugin does not provide the service';
}
