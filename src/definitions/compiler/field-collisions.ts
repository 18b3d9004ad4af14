import type { CompiledAttribute, CompiledDefinitions, CompiledObject } from './compiled-definitions.ts';
import type { ProblemList } from './problem-list.ts';

interface FieldWriter {
  readonly object: CompiledObject;
  readonly attribute: CompiledAttribute;
}

type Parts = Pick<CompiledDefinitions, 'objects' | 'tables' | 'objectGroups' | 'deviceGroups'>;
type GroupsByObject = ReadonlyMap<string, ReadonlySet<string>>;

/** Reports attributes that write the same field of the same record of one device, where neither overrides the other. */
export function reportFieldCollisions(definitions: Parts, problems: ProblemList): void {
  const groups = groupsByObject(definitions);
  for (const ids of definitions.tables.values()) {
    const writers = new Map<string, FieldWriter | FieldWriter[]>();
    for (const id of ids) {
      const object = definitions.objects.get(id)!;
      for (const attribute of object.attributes.values()) {
        for (const { field } of attribute.fields) {
          const writer = { object, attribute };
          const earlier = writers.get(field);
          if (earlier === undefined) {
            writers.set(field, writer);
            continue;
          }
          const others = Array.isArray(earlier) ? earlier : [earlier];
          const rival = others.find((other) => collide(other, writer, definitions, groups));
          if (rival !== undefined) report(field, rival, writer, problems);
          others.push(writer);
          writers.set(field, others);
        }
      }
    }
  }
}

function report(
  field: string,
  rival: FieldWriter,
  { object, attribute }: FieldWriter,
  problems: ProblemList,
): void {
  const name = `${rival.object.id} ${rival.attribute.name}`;
  problems.add(
    'field-collision',
    ['objects', object.id, 'attributes', attribute.name, 'name'],
    `“${attribute.name}” and ${name} both write the field “${field}”. “${attribute.name}” is used where it has a value. Rename one of the fields, or let one attribute override the other.`,
  );
}

function collide(left: FieldWriter, right: FieldWriter, definitions: Parts, groups: GroupsByObject): boolean {
  return (
    left.attribute !== right.attribute &&
    !overrides(left, right) &&
    !overrides(right, left) &&
    meet(left.object, right.object, definitions, groups)
  );
}

function overrides({ attribute }: FieldWriter, other: FieldWriter): boolean {
  return attribute.overrides.some(
    (ref) => ref.attribute === other.attribute.name && ref.object === other.object.id,
  );
}

/** Whether one device can be polled for both: one augments the other, or a group contains both. */
function meet(
  left: CompiledObject,
  right: CompiledObject,
  definitions: Parts,
  groups: GroupsByObject,
): boolean {
  if (left === right || augments(left, right, definitions) || augments(right, left, definitions)) return true;
  const others = groups.get(right.id);
  for (const group of groups.get(left.id) ?? []) if (others?.has(group) === true) return true;
  return false;
}

function groupsByObject({ objectGroups, deviceGroups }: Parts): GroupsByObject {
  const groups = new Map<string, Set<string>>();
  for (const [kind, members] of [
    ['object', objectGroups],
    ['device', deviceGroups],
  ] as const) {
    for (const { id, objects } of members.values()) {
      for (const object of objects) {
        const names = groups.get(object);
        if (names === undefined) groups.set(object, new Set([`${kind} ${id}`]));
        else names.add(`${kind} ${id}`);
      }
    }
  }
  return groups;
}

function augments(object: CompiledObject, other: CompiledObject, { objects }: Parts): boolean {
  let next = object.augments;
  while (next !== undefined && next !== other.id) next = objects.get(next)?.augments;
  return next === other.id;
}
