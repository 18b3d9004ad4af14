import type { Definitions } from '../../../plugins/definitions-loader/service.ts';
import {
  type Device,
  type DeviceRegistry,
  deviceRegistryToken,
} from '../../../plugins/device-registry/service.ts';
import { type Discovery, discoveryToken } from '../../../plugins/snmp-discovery/service.ts';
import type { AnyServiceToken, ConfiguredPlugin, Plugin } from '../../../src/kernel/index.ts';
import type { Inventory } from '../../../src/model/index.ts';

/** What a command needs. The plugins of the narrowed collector see nothing else. */
export interface Narrowing {
  /** Called once, when the devices have been read. */
  readonly pick: (registry: DeviceRegistry) => Device | undefined;
  /** Ids of objects: only their records are polled, each with all its objects. Undefined: all records. */
  readonly objects: ReadonlySet<string> | undefined;
}

/** The same plugins, but the registry shows only one device and discovery runs only on request. */
export function narrowPlugins(
  plugins: readonly ConfiguredPlugin[],
  { pick, objects }: Narrowing,
): ConfiguredPlugin[] {
  return plugins.map(({ name, plugin, options, isBuiltIn }) => {
    switch (plugin.provides?.name) {
      case deviceRegistryToken.name:
        return {
          name,
          isBuiltIn,
          options,
          plugin: replaceService<DeviceRegistry>(plugin, (registry) => showOne(registry, pick(registry))),
        };
      case discoveryToken.name:
        return {
          name,
          isBuiltIn,
          options: { ...(options as object), every_hours: 0, schedule: undefined },
          plugin: replaceService<Discovery>(plugin, (discovery, needs) =>
            objects === undefined
              ? discovery
              : showObjects(discovery, needs['definitions'] as Definitions, objects),
          ),
        };
      default:
        return { name, plugin, options, isBuiltIn };
    }
  });
}

/** The plugin that provides this service, and all plugins that it needs, directly or not. */
export function findProviders(
  plugins: readonly ConfiguredPlugin[],
  token: AnyServiceToken,
): ConfiguredPlugin[] {
  const provider = plugins.find(({ plugin }) => plugin.provides?.name === token.name);
  if (provider === undefined) return [];
  const needed = Object.values(provider.plugin.needs).flatMap((need) => findProviders(plugins, need));
  return [...new Set([...needed, provider])];
}

function replaceService<Service>(
  plugin: Plugin,
  replace: (service: Service, needs: Readonly<Record<string, unknown>>) => Service,
): Plugin {
  return Object.freeze({
    ...plugin,
    start: async (context: Parameters<Plugin['start']>[0]) =>
      replace((await plugin.start(context)) as Service, context.needs),
  });
}

function showOne(registry: DeviceRegistry, device: Device | undefined): DeviceRegistry {
  const only = (found: Device | undefined) => (found === device ? found : undefined);
  return {
    size: device === undefined ? 0 : 1,
    devices: () => (device === undefined ? [] : [device]),
    devicesIn: (shards) => [...registry.devicesIn(shards)].filter((each) => each === device),
    findDevice: (ip, port) => only(registry.findDevice(ip, port)),
    findNearestDevice: (ip, port) => only(registry.findNearestDevice(ip, port)),
    findDeviceNamed: (name) => only(registry.findDeviceNamed(name)),
    findDevicesNamed: (name) => registry.findDevicesNamed(name).filter((each) => each === device),
    getTargets: (asked, address, context) => registry.getTargets(asked, address, context),
    reportContact: (asked, contact) => registry.reportContact(asked, contact),
    putManaged: (name, settings) => registry.putManaged(name, settings),
    removeManaged: (ip, port) => registry.removeManaged(ip, port),
    findFound: (ip, port) => registry.findFound(ip, port),
    getNetworkTargets: (network) => registry.getNetworkTargets(network),
    putFound: (found) => registry.putFound(found),
    removeFound: (ip, port, cause) => registry.removeFound(ip, port, cause),
  };
}

/** Leaves out of inventories the objects whose records are not wanted, so that no packet asks for them. */
function showObjects(discovery: Discovery, definitions: Definitions, wanted: ReadonlySet<string>): Discovery {
  const narrowed = new WeakMap<Inventory, Inventory>();
  const tableOf = (id: string) => definitions.current.findObject(id)?.definition.table;
  const narrow = (inventory: Inventory): Inventory => {
    const tables = new Set([...wanted].map(tableOf));
    const keep = (found: Inventory['objects']) =>
      new Map([...found].filter(([id]) => tables.has(tableOf(id))));
    const contexts = [...(inventory.contexts ?? [])].map(([name, found]) => [name, keep(found)] as const);
    const further = inventory.contexts === undefined ? {} : { contexts: new Map(contexts) };
    return { ...inventory, objects: keep(inventory.objects), ...further };
  };
  return {
    get runs() {
      return discovery.runs;
    },
    get cuts() {
      return discovery.cuts;
    },
    findRun: (id) => discovery.findRun(id),
    suggest: (device, cause, pace) => discovery.suggest(device, cause, pace),
    request: (device, cause) => discovery.request(device, cause),
    findInventory(device) {
      const inventory = discovery.findInventory(device);
      if (inventory === undefined) return undefined;
      const known = narrowed.get(inventory) ?? narrow(inventory);
      narrowed.set(inventory, known);
      return known;
    },
  };
}
