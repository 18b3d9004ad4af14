import { normalizeOid, type Oid } from '../../model/oid.ts';
import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import { parentOid } from '../parent-oid.ts';

type Entries = Pick<CompiledDefinitions, 'deviceGroupsBySysObjectId' | 'deviceGroups'>;

/** The device group of a sysObjectID: that of the exact entry, else of the longest prefix. Ignores entries of unknown groups. */
export function findDeviceGroup(entries: Entries, sysObjectId: string): string | undefined {
  const oid = findSysObjectIdEntry(entries, sysObjectId);
  return oid === undefined ? undefined : entries.deviceGroupsBySysObjectId.get(oid);
}

/** The entry that `findDeviceGroup` uses. */
export function findSysObjectIdEntry(
  { deviceGroupsBySysObjectId, deviceGroups }: Entries,
  sysObjectId: string,
): Oid | undefined {
  for (let oid = normalizeOid(sysObjectId) ?? ''; oid !== ''; oid = parentOid(oid)) {
    const group = deviceGroupsBySysObjectId.get(oid);
    if (group !== undefined && deviceGroups.has(group)) return oid;
  }
  return undefined;
}
