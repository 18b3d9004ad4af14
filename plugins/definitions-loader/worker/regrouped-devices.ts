import { isDeepStrictEqual } from 'node:util';
import { type DefinitionChanges, type DeviceRef, deviceKey } from '../../../src/index.ts';
import type { CompiledDefinitions, RawDevice } from '../../../src/internal.ts';
import { deviceRefOf } from '../generation/device-ref.ts';

type Devices = CompiledDefinitions['devices'];

/** The devices of `after` that are new, or whose own list of groups is another; a new name alone is neither. */
export function findRegroupedDevices(
  before: Devices,
  after: Devices,
  { added, changed, removed }: DefinitionChanges['devices'],
): DeviceRef[] {
  const earlier = new Map(
    [...changed, ...removed].map((name) => {
      const settings = before.get(name)!;
      return [deviceKey(deviceRefOf(name, settings)), groupsOf(settings)];
    }),
  );
  return [...added, ...changed].flatMap((name) => {
    const settings = after.get(name)!;
    const ref = deviceRefOf(name, settings);
    const key = deviceKey(ref);
    return earlier.has(key) && isDeepStrictEqual(earlier.get(key), groupsOf(settings)) ? [] : [ref];
  });
}

/** Without groups of its own a device has those that its sysObjectID leads to; that is not the same as none. */
function groupsOf({ device_groups: groups }: RawDevice): ReadonlySet<string> | undefined {
  return groups && new Set(groups);
}
