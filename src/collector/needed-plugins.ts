import { findMissingServices, type PluginInstance } from '../kernel/boot-order.ts';
import type { Plugin } from '../kernel/plugin.ts';
import type { FoundPlugin, PluginFinder } from '../kernel/plugin-finder.ts';

export interface NeededPlugins {
  readonly found: readonly FoundPlugin[];
  /** Built-in plugins that could not be imported, with the plugins that need them. */
  readonly failures: readonly { readonly neededBy: readonly string[]; readonly error: unknown }[];
}

/**
 * The built-in plugins that `named` needs and does not contain. A service is provided by the plugin of its own name, so
 * only those plugins are imported. A plugin with a required option is left out: the configuration has to name it.
 */
export async function findNeededPlugins(
  named: readonly PluginInstance[],
  finder: PluginFinder,
): Promise<NeededPlugins> {
  const builtIn = new Set(finder.builtInNames);
  const looked = new Set(named.map(({ plugin }) => plugin.name));
  const found: FoundPlugin[] = [];
  const failures: NeededPlugins['failures'][number][] = [];
  for (;;) {
    const missing = [...findMissingServices([...named, ...found])].filter(
      ([service]) => builtIn.has(service) && !looked.has(service),
    );
    if (missing.length === 0) return { found, failures };
    for (const [service, neededBy] of missing) {
      looked.add(service);
      try {
        const provider = await finder.find(service);
        if (startsUnconfigured(provider.plugin)) found.push(provider);
      } catch (error) {
        failures.push({ neededBy, error });
      }
    }
  }
}

function startsUnconfigured({ options }: Plugin): boolean {
  const hasDefault = (key: string) => options.properties[key]?.['default'] !== undefined;
  return (options.required ?? []).every(hasDefault);
}
