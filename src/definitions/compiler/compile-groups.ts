import type { RawDefinitions } from '../schema/raw-definitions.ts';
import type { CompiledGroup, CompiledObject } from './compiled-definitions.ts';
import { hashText } from './content-hash.ts';
import type { ProblemList } from './problem-list.ts';

export function compileObjectGroups(
  raw: RawDefinitions,
  objects: ReadonlyMap<string, CompiledObject>,
  problems: ProblemList,
): Map<string, CompiledGroup> {
  const groups = new Map<string, CompiledGroup>();
  for (const [id, { objects: named }] of raw.objectGroups) {
    named.forEach((object, position) => {
      const path = ['objectGroups', id, 'objects', position] as const;
      if (!raw.objects.has(object)) problems.addUnknown(path, 'object', object, 'it is ignored', raw.objects);
    });
    const members = named.filter((object) => objects.has(object));
    groups.set(id, compileGroup(id, members, members, objects));
  }
  return groups;
}

export function compileDeviceGroups(
  raw: RawDefinitions,
  objectGroups: ReadonlyMap<string, CompiledGroup>,
  objects: ReadonlyMap<string, CompiledObject>,
  problems: ProblemList,
): Map<string, CompiledGroup> {
  const groups = new Map<string, CompiledGroup>();
  for (const [id, { objects: given, object_groups: listed, without: excluded = [] }] of raw.deviceGroups) {
    const path = ['deviceGroups', id] as const;
    if (given === undefined && listed === undefined) {
      const message = `“${id}” has neither \`objects\` nor \`object_groups\`. Write \`objects: auto\` to collect what the device answers, or list object groups.`;
      problems.add('empty-device-group', path, message);
    }
    const named = given === undefined ? [] : given === autoObjects ? [autoObjects] : given;
    named.forEach((object, position) => {
      if (object === autoObjects || raw.objects.has(object)) return;
      problems.addUnknown([...path, 'objects', position], 'object', object, 'it is ignored', raw.objects);
    });
    listed?.forEach((group, position) => {
      if (objectGroups.has(group)) return;
      const place = [...path, 'object_groups', position] as const;
      problems.addUnknown(place, 'object group', group, 'it is ignored', objectGroups);
    });
    excluded.forEach((name, position) => {
      if (objectGroups.has(name) || raw.objects.has(name)) return;
      const place = [...path, 'without', position] as const;
      problems.addUnknown(place, 'object or object group', name, 'it is ignored', raw.objects);
    });
    const members = (listed ?? []).filter((group) => objectGroups.has(group));
    const without = new Set(excluded.flatMap((name) => objectGroups.get(name)?.objects ?? [name]));
    const brought = [
      ...named.filter((object) => objects.has(object)),
      ...members.flatMap((group) => objectGroups.get(group)?.objects ?? []),
    ].filter((object) => !without.has(object));
    const group = compileGroup(id, members, brought, objects);
    groups.set(id, named.includes(autoObjects) ? withAuto(group, without, objects) : group);
  }
  return groups;
}

/** What the objects of a device group say when the device decides. */
const autoObjects = 'auto';

/** Changes of the objects that devices answer affect only those devices, so these objects are not part of the hash. */
function withAuto(
  group: CompiledGroup,
  excluded: ReadonlySet<string>,
  objects: ReadonlyMap<string, CompiledObject>,
): CompiledGroup {
  const without = [...excluded].filter((object) => objects.has(object)).sort();
  return { ...group, auto: { without }, hash: hashText(JSON.stringify([autoObjects, without, group.hash])) };
}

/** Groups are equal when they contain equal objects, in any order. */
function compileGroup(
  id: string,
  members: readonly string[],
  brought: readonly string[],
  objects: ReadonlyMap<string, CompiledObject>,
): CompiledGroup {
  const sorted = [...new Set(brought)].sort();
  const hash = hashText(sorted.map((object) => objects.get(object)?.hash).join());
  return { id, members, objects: sorted, hash };
}
