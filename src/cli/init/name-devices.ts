import type { CompiledDefinitions } from '../../definitions/compiler/compiled-definitions.ts';
import { findDeviceGroup } from '../../definitions/generation/device-group-finder.ts';
import { toSafeName } from '../../model/safe-name.ts';
import type { NamedDevice } from './configuration-text.ts';
import type { FoundDevice } from './probe-addresses.ts';

type Groups = Pick<CompiledDefinitions, 'deviceGroups' | 'deviceGroupsBySysObjectId'>;

/** Gives each device a key by its sysName, else by its address, and the group that its sysObjectID leads to. */
export function nameDevices(found: readonly FoundDevice[], groups: Groups): NamedDevice[] {
  const taken = new Set<string>();
  return found.map((device) => {
    const address = toSafeName(device.address);
    const wished = toSafeName(device.name ?? '') || address;
    const id = taken.has(wished) ? `${wished}-${address}` : wished;
    taken.add(id);
    const { sysObjectId } = device;
    const deviceGroup = sysObjectId === undefined ? undefined : findDeviceGroup(groups, sysObjectId);
    return { ...device, id, deviceGroup };
  });
}
