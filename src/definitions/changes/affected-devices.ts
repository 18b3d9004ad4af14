import type { DefinitionChanges } from '../../model/definition-changes.ts';
import { isUnderOid, type Oid } from '../../model/oid.ts';
import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import { findSysObjectIdEntry } from '../generation/device-group-finder.ts';

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

/**
 * The devices whose group another entry tells after `changes`: those that have their group by their sysObjectID, where the
 * entry that it matched is changed or gone, or one came that is nearer to it.
 */
export function findRemappedDevices<Device extends { readonly sysObjectId?: Oid | undefined }>(
  { sysObjectIds: { added, changed, removed } }: Pick<DefinitionChanges, 'sysObjectIds'>,
  running: Pick<CompiledDefinitions, 'deviceGroupsBySysObjectId' | 'deviceGroups'>,
  devices: Iterable<Device>,
): Device[] {
  const touched = [...added, ...changed, ...removed];
  if (touched.length === 0) return [];
  return Array.from(devices).filter(({ sysObjectId }) => {
    if (sysObjectId === undefined) return false;
    const matched = findSysObjectIdEntry(running, sysObjectId)?.length ?? 0;
    return touched.some((oid) => oid.length >= matched && isUnderOid(sysObjectId, oid));
  });
}
