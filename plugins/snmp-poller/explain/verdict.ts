import { suggestName } from '../../../src/index.ts';
import type { ValueExplanation } from './value-explanation.ts';

/** Names of instances that a sentence may list. */
const maxListed = 5;

/** That the last poll brought the value, or the first thing that stands in its way. */
export function judge(
  facts: Omit<ValueExplanation, 'verdict'>,
  isEnabled: boolean,
  deviceGroups: readonly string[],
  instances: readonly string[],
): string {
  const { device, object, instance, attribute, inventory, reading, definition } = facts;
  if (!isEnabled) return `"${device.name}" is not polled: its definition says \`enabled: false\`.`;
  if (inventory === undefined) return `"${device.name}" was not discovered yet.`;
  if (facts.broughtInBy.length === 0) {
    const groups = deviceGroups.length === 0 ? 'it has none' : `it has ${deviceGroups.join(', ')}`;
    return `No device group of "${device.name}" brings in ${object}: ${groups}.`;
  }
  if (inventory.instances === undefined) {
    return `${object} was not looked for when "${device.name}" was discovered. Rediscover the device.`;
  }
  if (inventory.instances === 0) return `"${device.name}" has no instance of ${object}.`;
  if (!inventory.hasInstance) {
    const listed = instances.slice(0, maxListed).join(', ');
    const more = instances.length > maxListed ? ` and ${instances.length - maxListed} more` : '';
    return `"${device.name}" has no instance ${instance} of ${object}, but ${listed}${more}.${suggestName(instance, instances)}`;
  }
  const other = inventory.overriddenBy;
  if (other !== undefined) {
    return `At this instance ${other.object} ${other.attribute} stands for ${attribute}, and only that is polled.`;
  }
  if (definition.fields.length === 0) {
    return `Its syntax ${definition.decoding.syntax} writes nothing into records.`;
  }
  if (reading === undefined)
    return 'It is in no plan yet: new definitions and inventories hold from the next slot on.';
  const { state, why } = facts.status;
  const now = state === 'suspect' || state === 'down' ? ` Now the device is ${state}: ${why}.` : '';
  if (reading.slotMs === 0) return `It is planned, and no poll has brought anything yet.${now}`;
  if (reading.gap !== undefined) return `The last poll did not bring it: ${reading.gap}.${now}`;
  return now === '' ? 'The last poll brought it.' : `The last poll that was answered brought it.${now}`;
}
