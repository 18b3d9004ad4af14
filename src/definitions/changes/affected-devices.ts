import type { DefinitionChanges } from '../../model/definition-changes.ts';
import { isUnderOid, type Oid } from '../../model/oid.ts';
import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import { findSysObjectIdEntry, lastResortOid } from '../generation/device-group-finder.ts';

/**
 * The devices of which an object is polled or recorded in another way after `changes`, in the order given. A device group
 * counts as changed when anything changed that its objects depend on, so only the groups of each device are compared.
 * `deviceGroups` are the groups in use for the device, configured or found by its sysObjectID.
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
 * The devices that get their group from another sysObjectID entry after `changes`: the entry that their sysObjectID matched was
 * changed or removed, or a more specific one was added.
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
    const applies = (oid: Oid) => isUnderOid(sysObjectId, oid) || isUnderOid(lastResortOid, oid);
    return touched.some((oid) => oid.length >= matched && applies(oid));
  });
}
