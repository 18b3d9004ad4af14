import type { AttributeRef, CompiledAttribute } from '../../../src/internal.ts';
import type { ShapeObject } from './device-shape.ts';

/** Where attributes are polled, as the discovery resolved it. */
export interface Presence {
  /** The instances at which the attribute exists and is not overridden. Returns the inventory's own list when that is all of them. */
  instancesOf(subject: ShapeObject, attribute: CompiledAttribute): readonly string[];
  isOverridden(ref: AttributeRef, instance: string): boolean;
}

/** Resolves overrides per instance, including chains and attributes of other objects. */
export function resolvePresence(objects: readonly ShapeObject[]): Presence {
  const overridden = new Map<string, Set<string>>();
  for (const subject of objects) {
    for (const attribute of subject.object.attributes.values()) {
      if (attribute.overrides.length === 0) continue;
      // An attribute that no discovery looked for overrides nothing.
      const present = isUnresolved(subject, attribute) ? [] : existingAt(subject, attribute);
      for (const ref of attribute.overrides) {
        const instances = overridden.get(keyOf(ref)) ?? new Set();
        for (const instance of present) instances.add(instance);
        overridden.set(keyOf(ref), instances);
      }
    }
  }
  const isOverridden: Presence['isOverridden'] = (ref, instance) =>
    overridden.get(keyOf(ref))?.has(instance) ?? false;
  return {
    isOverridden,
    instancesOf(subject, attribute) {
      const existing = existingAt(subject, attribute);
      const ref = { object: subject.object.id, attribute: attribute.name };
      if (!existing.some((instance) => isOverridden(ref, instance))) return existing;
      return existing.filter((instance) => !isOverridden(ref, instance));
    },
  };
}

/** Whether the attribute overrides others, but no discovery has looked for it. */
export function isUnresolved({ known }: ShapeObject, { name, overrides }: CompiledAttribute): boolean {
  return overrides.length > 0 && known.overriding[name] === undefined;
}

function existingAt({ known }: ShapeObject, { name }: CompiledAttribute): readonly string[] {
  const where = known.overriding[name] ?? true;
  return where === true ? known.instances : where.flatMap((position) => known.instances[position] ?? []);
}

function keyOf({ object, attribute }: AttributeRef): string {
  return `${object} ${attribute}`;
}
