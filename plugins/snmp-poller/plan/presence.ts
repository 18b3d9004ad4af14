import type { AttributeRef, CompiledAttribute } from '../../../src/definitions/index.ts';
import type { ShapeObject } from './device-shape.ts';

/** Where attributes are polled, as the discovery resolved it. */
export interface Presence {
  /** The instances at which the attribute exists and is not overridden. Returns the inventory's own list when that is all of them. */
  instancesOf(subject: ShapeObject, attribute: CompiledAttribute): readonly string[];
  isOverridden(ref: AttributeRef, instance: string): boolean;
}

/** Instances that are looked at in one step, between other work. */
const instancesPerStep = 5_000;

/** Resolves overrides per instance, including chains and attributes of other objects. It works in steps, because tables may be long. */
export function* resolvePresence(objects: readonly ShapeObject[]): Generator<void, Presence> {
  const overridden = new Map<string, Set<string>>();
  for (const subject of objects) {
    for (const attribute of subject.object.attributes.values()) {
      if (attribute.overrides.length === 0) continue;
      // An attribute that no discovery looked for overrides nothing.
      const present = isUnresolved(subject, attribute) ? [] : existingAt(subject, attribute);
      for (const ref of attribute.overrides) {
        const instances = overridden.get(keyOf(ref)) ?? new Set();
        for (const [position, instance] of present.entries()) {
          if (position % instancesPerStep === instancesPerStep - 1) yield;
          instances.add(instance);
        }
        overridden.set(keyOf(ref), instances);
      }
    }
  }
  const isOverridden: Presence['isOverridden'] = (ref, instance) =>
    overridden.get(keyOf(ref))?.has(instance) ?? false;
  /** Lists that were filtered: the plans of other intervals ask for them again. */
  const filtered = new Map<CompiledAttribute, readonly string[]>();
  return {
    isOverridden,
    instancesOf(subject, attribute) {
      const known = filtered.get(attribute);
      if (known !== undefined) return known;
      const existing = existingAt(subject, attribute);
      const others = overridden.get(keyOf({ object: subject.object.id, attribute: attribute.name }));
      const left = others === undefined ? existing : existing.filter((instance) => !others.has(instance));
      const instances = left.length === existing.length ? existing : left;
      filtered.set(attribute, instances);
      return instances;
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
