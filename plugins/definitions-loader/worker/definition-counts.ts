import type { RawDefinitions } from '../../../src/definitions/index.ts';
import type { DefinitionCounts } from './worker-messages.ts';

export function countDefinitions(raw: RawDefinitions): DefinitionCounts {
  let attributes = 0;
  for (const object of raw.objects.values()) attributes += Object.keys(object.attributes).length;
  let enumEntries = raw.oidEnums.size;
  for (const kind of ['integerEnums', 'bitmapEnums'] as const) {
    for (const names of raw[kind].values()) enumEntries += Object.keys(names).length;
  }
  return {
    objects: raw.objects.size,
    attributes,
    objectGroups: raw.objectGroups.size,
    deviceGroups: raw.deviceGroups.size,
    notifications: raw.notifications.size,
    devices: raw.devices.size,
    enums: raw.integerEnums.size + raw.bitmapEnums.size,
    enumEntries,
    sysObjectIds: raw.sysObjectIds.size,
    networks: raw.networks.size,
  };
}
