import { normalizeOid } from '../../oid.ts';
import type { CompiledDefinitions } from '../compiled/compiled-definitions.ts';

/** The device group of a sysObjectID: the exact entry, else the longest that begins it. Entries of unknown groups do not count. */
export function findDeviceGroup(
  {
    deviceGroupsBySysObjectId,
    deviceGroups,
  }: Pick<CompiledDefinitions, 'deviceGroupsBySysObjectId' | 'deviceGroups'>,
  sysObjectId: string,
): string | undefined {
  let oid = normalizeOid(sysObjectId) ?? '';
  while (oid !== '') {
    const group = deviceGroupsBySysObjectId.get(oid);
    if (group !== undefined && deviceGroups.has(group)) return group;
    oid = oid.slice(0, Math.max(oid.lastIndexOf('.'), 0));
  }
  return undefined;
}
