import type { CompiledDefinitions } from '../compiled/compiled-definitions.ts';

type Generation = Pick<CompiledDefinitions, 'deviceGroups'>;

/**
 * The devices for which an object that they are asked for is polled or recorded otherwise in `after` than in `before`, in
 * the order given. A group's hash covers all that its objects depend on, so that a look at each device's groups is enough.
 * `deviceGroups` are the groups that hold for the device, configured or found by its sysObjectID.
 */
export function findAffectedDevices<Device extends { readonly deviceGroups: readonly string[] }>(
  before: Generation,
  after: Generation,
  devices: Iterable<Device>,
): Device[] {
  const changed = new Set<string>();
  for (const id of [...before.deviceGroups.keys(), ...after.deviceGroups.keys()]) {
    if (before.deviceGroups.get(id)?.hash !== after.deviceGroups.get(id)?.hash) changed.add(id);
  }
  if (changed.size === 0) return [];
  return Array.from(devices).filter(({ deviceGroups }) => deviceGroups.some((group) => changed.has(group)));
}
