import type { Inventory } from '../../../../src/index.ts';
import type { AttributeRef } from '../../../../src/internal.ts';
import type { Generation } from '../../../definitions-loader/service.ts';

/** The attribute that stands for this one at an instance, if the device has one. */
export function findOverrider(
  generation: Generation,
  inventory: Inventory,
  meant: AttributeRef,
  instance: string,
): AttributeRef | undefined {
  for (const [id, { instances, overriding }] of inventory.objects) {
    const attributes = generation.findObject(id)?.definition.attributes.values() ?? [];
    for (const { name, overrides } of attributes) {
      const where = overriding[name];
      if (where === undefined || !overrides.some((each) => isSame(each, meant))) continue;
      const position = instances.indexOf(instance);
      if (position >= 0 && (where === true || where.includes(position)))
        return { object: id, attribute: name };
    }
  }
  return undefined;
}

function isSame(one: AttributeRef, other: AttributeRef): boolean {
  return one.object === other.object && one.attribute === other.attribute;
}
