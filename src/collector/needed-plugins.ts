import { findMissingServices, type PluginInstance } from '../kernel/boot-order.ts';
import type { Plugin } from '../kernel/plugin.ts';
import type { FoundPlugin, PluginFinder } from '../kernel/plugin-finder.ts';

export interface NeededPlugins {
  readonly found: readonly FoundPlugin[];
  /** Built-in plugins that could not be imported, with the plugins that need them. */
  readonly failures: readonly { readonly neededBy: readonly string[]; readonly error: unknown }[];
}

interface JoiningPlugin {
  readonly plugin: string;
  readonly service: string;
  readonly anyOf: readonly string[];
}

/** Built-in plugins that no other one needs: each is wanted where `service` and one of `anyOf` are provided. */
const joiningPlugins: readonly JoiningPlugin[] = [
  // The HTTP API of a collector without SNMP has no routes of SNMP, and loads nothing of it.
  {
    plugin: 'snmp-api',
    service: 'http-api',
    anyOf: ['definitions-loader', 'device-registry', 'snmp-client', 'snmp-discovery'],
  },
];

/**
 * The built-in plugins that `named` needs and does not contain, and those that join what it contains. A service is provided by the plugin of its own name, so
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
    const all = [...named, ...found];
    const wanted = [...findMissingServices(all), ...findJoining(all)].filter(
      ([name]) => builtIn.has(name) && !looked.has(name),
    );
    if (wanted.length === 0) return { found, failures };
    for (const [name, neededBy] of wanted) {
      looked.add(name);
      try {
        const plugin = await finder.find(name);
        if (startsUnconfigured(plugin.plugin)) found.push(plugin);
      } catch (error) {
        failures.push({ neededBy, error });
      }
    }
  }
}

/** The plugins that join others, each with the plugin that it joins. */
function findJoining(
  all: readonly PluginInstance[],
): readonly (readonly [name: string, joined: readonly string[]])[] {
  const providers = new Map(all.map(({ name, plugin }) => [plugin.provides?.name, name]));
  return joiningPlugins
    .filter(({ service, anyOf }) => providers.has(service) && anyOf.some((each) => providers.has(each)))
    .map(({ plugin, service }) => [plugin, [providers.get(service)!]]);
}

function startsUnconfigured({ options }: Plugin): boolean {
  const hasDefault = (key: string) => options.properties[key]?.['default'] !== undefined;
  return (options.required ?? []).every(hasDefault);
}
