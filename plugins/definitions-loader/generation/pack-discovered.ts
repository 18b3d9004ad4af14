import { setImmediate } from 'node:timers/promises';
import type { RawDevice } from '../../../src/definitions/index.ts';
import { deviceKey } from '../../../src/index.ts';
import type { DiscoveredDevice, DiscoveredDevices, PollSettings } from '../worker/discovered-devices.ts';
import type { GroupedDevice } from './generation.ts';

/** Devices that are packed before other work gets its turn. */
const packedPerSlice = 200;

export async function packDiscovered(devices: Iterable<GroupedDevice>): Promise<DiscoveredDevices> {
  const positions = new Map<string, number>();
  const counts: number[] = [];
  const packed: DiscoveredDevice[] = [];
  for (const { ref, deviceGroups, settings, countInstances } of devices) {
    if (packed.length % packedPerSlice === packedPerSlice - 1) await setImmediate();
    const from = counts.length;
    for (const [object, count] of countInstances?.() ?? []) {
      const position = positions.get(object) ?? positions.size;
      positions.set(object, position);
      counts.push(position, count);
    }
    packed.push({
      key: deviceKey(ref),
      deviceGroups,
      settings: settings && pollSettings(settings),
      range: countInstances && [from, counts.length],
    });
  }
  return { objects: [...positions.keys()], counts: Uint32Array.from(counts), devices: packed };
}

/** Nothing else crosses: settings may hold secrets. */
function pollSettings({ device_groups, enabled, poll_interval, poll_intervals }: RawDevice): PollSettings {
  return {
    ...(device_groups === undefined ? {} : { device_groups }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(poll_interval === undefined ? {} : { poll_interval }),
    ...(poll_intervals === undefined ? {} : { poll_intervals }),
  };
}
