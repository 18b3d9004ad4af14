import { suggestName } from '../../../src/index.ts';
import type { ValueExplanation } from './value-explanation.ts';

/** Instances that a sentence lists. */
const maxListed = 5;

/** Says that the last poll returned the value, or gives the first reason why it is missing. */
export function writeVerdict(
  facts: Omit<ValueExplanation, 'verdict' | 'notCollected'>,
  isEnabled: boolean,
  deviceGroups: readonly string[],
  instances: readonly string[],
  notCollected: string | undefined,
): string {
  const { device, object, instance, attribute, inventory, reading, definition } = facts;
  if (!isEnabled) return `"${device.name}" is not polled: its definition says \`enabled: false\`.`;
  if (inventory === undefined) return `"${device.name}" has not been discovered yet.`;
  if (notCollected !== undefined) return notCollected;
  if (facts.broughtInBy.length === 0) {
    const groups =
      deviceGroups.length === 0 ? 'it has no groups' : `its groups are ${deviceGroups.join(', ')}`;
    return `No device group of "${device.name}" includes ${object}: ${groups}.`;
  }
  if (inventory.instances === undefined) {
    return `The last discovery of "${device.name}" did not look for ${object}. Rediscover the device.`;
  }
  if (inventory.instances === 0) return `"${device.name}" has no instance of ${object}.`;
  if (!inventory.hasInstance) {
    const listed = instances.slice(0, maxListed).join(', ');
    const more = instances.length > maxListed ? ` and ${instances.length - maxListed} more` : '';
    const cut = inventory.partial === undefined ? '' : ` The list is incomplete: ${inventory.partial}.`;
    return `"${device.name}" has no instance ${instance} of ${object}. It has ${listed}${more}.${cut}${suggestName(instance, instances)}`;
  }
  const other = inventory.overriddenBy;
  if (other !== undefined) {
    return `At this instance ${other.object} ${other.attribute} overrides ${attribute}, and only the overriding attribute is polled.`;
  }
  if (definition.fields.length === 0 && reading === undefined) {
    return definition.decoding.kind === 'none'
      ? `The attribute has the syntax ${definition.decoding.syntax}, which writes no field.`
      : 'The attribute has no field of its own: names, classes, scales and limits of other values read it.';
  }
  if (reading === undefined)
    return 'No plan reads it yet. New definitions and inventories take effect at the next slot.';
  const { state, why } = facts.status;
  const now = state === 'suspect' || state === 'down' ? ` The device is ${state} now: ${why}.` : '';
  if (reading.slotMs === 0) return `It is planned, but no poll has returned values yet.${now}`;
  if (reading.gap !== undefined) return `The last poll did not return it: ${reading.gap}.${now}`;
  return now === '' ? 'The last poll returned it.' : `The last answered poll returned it.${now}`;
}
