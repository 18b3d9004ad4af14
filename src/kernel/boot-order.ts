import { kernelFailure } from './errors.ts';
import { type Plugin, pluginKinds } from './plugin.ts';

/** A plugin and the name under which it runs. */
export interface PluginInstance {
  readonly name: string;
  readonly plugin: Plugin;
  /** Whether it comes with Waywiser. What others receive from it and pass to it is protected from them. */
  readonly isBuiltIn?: boolean | undefined;
}

/**
 * The order to start in: by kind; within a kind, each plugin after those that it needs; otherwise as given. Throws when a
 * service is missing or provided twice, when a need points to a later kind, and when plugins need each other in a circle.
 */
export function orderForBoot<Instance extends PluginInstance>(instances: readonly Instance[]): Instance[] {
  const providers = findProviders(instances);
  refuseMissingServices(instances, providers);
  const ordered: Instance[] = [];
  const done = new Set<Instance>();

  const visit = (instance: Instance, path: readonly Instance[]): void => {
    if (done.has(instance)) return;
    if (path.includes(instance)) {
      const circle = [...path.slice(path.indexOf(instance)), instance].map(({ name }) => name).join(' → ');
      throw kernelFailure('PLUGINS_NEED_EACH_OTHER', { path: circle });
    }
    for (const token of Object.values(instance.plugin.needs)) {
      const provider = providers.get(token.name)!;
      refuseLaterKind(instance, provider, token.name);
      visit(provider, [...path, instance]);
    }
    done.add(instance);
    ordered.push(instance);
  };

  for (const kind of pluginKinds) {
    for (const instance of instances) if (instance.plugin.kind === kind) visit(instance, []);
  }
  return ordered;
}

/** The names of services that no plugin provides, each with the plugins that need it. */
export function findMissingServices(
  instances: readonly PluginInstance[],
): ReadonlyMap<string, readonly string[]> {
  const provided = new Set(instances.map(({ plugin }) => plugin.provides?.name));
  const missing = new Map<string, string[]>();
  for (const { name, plugin } of instances) {
    for (const token of Object.values(plugin.needs)) {
      if (!provided.has(token.name)) missing.set(token.name, [...(missing.get(token.name) ?? []), name]);
    }
  }
  return missing;
}

function findProviders<Instance extends PluginInstance>(
  instances: readonly Instance[],
): Map<string, Instance> {
  const providers = new Map<string, Instance>();
  for (const instance of instances) {
    const service = instance.plugin.provides?.name;
    if (service === undefined) continue;
    const first = providers.get(service);
    if (first !== undefined) {
      throw kernelFailure('SERVICE_PROVIDED_TWICE', { service, first: first.name, second: instance.name });
    }
    providers.set(service, instance);
  }
  return providers;
}

function refuseMissingServices(
  instances: readonly PluginInstance[],
  providers: ReadonlyMap<string, PluginInstance>,
): void {
  const missing = findMissingServices(instances);
  if (missing.size === 0) return;
  const list = [...missing].map(([service, needers]) => `"${service}" (needed by ${needers.join(', ')})`);
  const offered = [...providers.keys()].join(', ') || 'nothing';
  throw kernelFailure('SERVICES_MISSING', { list: list.join('; '), offered });
}

function refuseLaterKind(instance: PluginInstance, provider: PluginInstance, service: string): void {
  const { kind } = instance.plugin;
  const providerKind = provider.plugin.kind;
  if (pluginKinds.indexOf(providerKind) <= pluginKinds.indexOf(kind)) return;
  throw kernelFailure('NEED_STARTS_LATER', {
    plugin: instance.name,
    kind,
    service,
    provider: provider.name,
    providerKind,
  });
}
