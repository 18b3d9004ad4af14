import { createHash } from 'node:crypto';
import { type CompiledObject, pollIntervalOf } from '../../../src/definitions/index.ts';
import type { Inventory, ObjectInventory } from '../../../src/index.ts';
import type { Dialect, Target } from '../../../src/snmp/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { ObjectSelection } from './object-selection.ts';

/** Everything that a device's plans depend on. Devices with the same `key` share their plans. */
export interface DeviceShape {
  readonly key: string;
  readonly dialect: Dialect;
  readonly maxOids: number | undefined;
  /** Objects that are known to have instances, in file order of their records. */
  readonly objects: readonly ShapeObject[];
}

export interface ShapeObject {
  readonly object: CompiledObject;
  readonly known: ObjectInventory;
  readonly everyMs: number;
}

/**
 * What to poll on a device: the objects that its discovery found, at the instances that it found. An object that no discovery
 * looked for is not polled yet.
 */
export function shapeOf(
  settings: Device['settings'],
  inventory: Pick<Inventory, 'objects'>,
  target: Target,
  { objects: selected, everyMsByType, wordings }: ObjectSelection,
): DeviceShape {
  const dialect: Dialect =
    target.version === '3' ? { version: '3' } : { version: target.version, community: target.community };
  const objects: ShapeObject[] = [];
  const hash = createHash('sha1').update(JSON.stringify([dialect, target.maxOids]));
  for (const object of selected) {
    const known = inventory.objects.get(object.id);
    if (known === undefined || known.instances.length === 0) continue;
    const everyMs = pollIntervalOf(object.type, settings, everyMsByType);
    objects.push({ object, known, everyMs });
    hash.update(JSON.stringify([object.id, object.hash, wordings.get(object.id), everyMs, known.overriding]));
    hash.update(known.instances.join(' '));
  }
  return { key: hash.digest('base64'), dialect, maxOids: target.maxOids, objects };
}
