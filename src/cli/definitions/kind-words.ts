import type { ChangeKind } from '../../model/definition-changes.ts';

/** What changes are called. */
export const kindWords: Readonly<Record<ChangeKind, readonly [one: string, many: string]>> = {
  objects: ['object', 'objects'],
  objectGroups: ['object group', 'object groups'],
  deviceGroups: ['device group', 'device groups'],
  enums: ['enum', 'enums'],
  devices: ['device', 'devices'],
  sysObjectIds: ['sysObjectID', 'sysObjectIDs'],
  networks: ['network', 'networks'],
};
