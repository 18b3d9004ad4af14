import type { CompiledDefinitions } from '../../model/definitions/compiled/compiled-definitions.ts';
import { findDeviceGroup } from '../../model/definitions/generation/device-group-finder.ts';
import type { NamedDevice } from './configuration-text.ts';
import type { FoundDevice } from './probe-addresses.ts';

type Groups = Pick<CompiledDefinitions, 'deviceGroups' | 'deviceGroupsBySysObjectId'>;

/** Gives each device a key by its sysName, else by its address, and the group that its sysObjectID leads to. */
export function nameDevices(found: readonly FoundDevice[], groups: Groups): NamedDevice[] {
  const taken = new Set<string>();
  return found.map((device) => {
    const address = toKey(device.address);
    const wished = toKey(device.name ?? '') || address;
    const id = taken.has(wished) ? `${wished}-${address}` : wished;
    taken.add(id);
    const { sysObjectId } = device;
    const deviceGroup = sysObjectId === undefined ? undefined : findDeviceGroup(groups, sysObjectId);
    return { ...device, id, deviceGroup };
  });
}

const maxKeyLength = 63;

/** Letters, digits, dots and hyphens, a letter or a digit first: also no `__proto__`. */
function toKey(text: string): string {
  return text
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, maxKeyLength);
}
