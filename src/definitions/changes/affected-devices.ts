import type { DefinitionChanges } from '../../model/definition-changes.ts';

/**
 * The devices for which an object that they are asked for is polled or recorded otherwise after `changes`, in the order
 * given. A device group counts as changed when anything that its objects depend on is, so that a look at each device's
 * groups is enough. `deviceGroups` are those that hold for the device, configured or found by its sysObjectID.
 */
export function findAffectedDevices<Device extends { readonly deviceGroups: readonly string[] }>(
  changes: Pick<DefinitionChanges, 'deviceGroups'>,
  devices: Iterable<Device>,
): Device[] {
  const { added, changed, removed } = changes.deviceGroups;
  const groups = new Set([...added, ...changed, ...removed]);
  if (groups.size === 0) return [];
  return Array.from(devices).filter(({ deviceGroups }) => deviceGroups.some((group) => groups.has(group)));
}
