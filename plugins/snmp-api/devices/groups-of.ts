import type { Inventory } from '../../../src/index.ts';
import type { Device } from '../../device-registry/service.ts';

/** Those of the settings, else those that its sysObjectID led to. */
export function groupsOf(
  { settings }: Pick<Device, 'settings'>,
  inventory: Pick<Inventory, 'deviceGroups'> | undefined,
): readonly string[] {
  return settings.device_groups ?? inventory?.deviceGroups ?? [];
}
