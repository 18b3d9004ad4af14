import type { DefinitionChanges } from '../../model/definition-changes.ts';
import { isUnderOid, type Oid } from '../../model/oid.ts';
import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import { findSysObjectIdEntry } from '../generation/device-group-finder.ts';

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
