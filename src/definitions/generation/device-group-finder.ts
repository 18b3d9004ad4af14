import { normalizeOid, type Oid } from '../../model/oid.ts';
import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import { parentOid } from '../parent-oid.ts';

type Entries = Pick<CompiledDefinitions, 'deviceGroupsBySysObjectId' | 'deviceGroups'>;

/** Stands for devices without a sysObjectID of their own: every assigned OID is below it. */
export const lastResortOid: Oid = '1.3.6.1';

/**
 * The device group of a sysObjectID: that of the exact entry, else of the longest prefix. A device without a sysObjectID, or with one
 * that has no entry, such as 0.0, gets the group of `lastResortOid`. Ignores entries of unknown groups.
 */
export function findDeviceGroup(entries: Entries, sysObjectId: string | undefined): string | undefined {
  const oid = findSysObjectIdEntry(entries, sysObjectId);
  return oid === undefined ? undefined : entries.deviceGroupsBySysObjectId.get(oid);
}

/** The entry that `findDeviceGroup` uses. */
export function findSysObjectIdEntry(entries: Entries, sysObjectId = lastResortOid): Oid | undefined {
  return findLongestPrefix(entries, sysObjectId) ?? findLongestPrefix(entries, lastResortOid);
}

function findLongestPrefix(
  { deviceGroupsBySysObjectId, deviceGroups }: Entries,
  sysObjectId: string,
): Oid | undefined {
  for (let oid = normalizeOid(sysObjectId) ?? ''; oid !== ''; oid = parentOid(oid)) {
    const group = deviceGroupsBySysObjectId.get(oid);
    if (group !== undefined && deviceGroups.has(group)) return oid;
  }
  return undefined;
}
