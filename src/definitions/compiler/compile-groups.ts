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
  for (const [id, { object_groups: named }] of raw.deviceGroups) {
    named.forEach((group, position) => {
      const path = ['deviceGroups', id, 'object_groups', position] as const;
      if (!objectGroups.has(group)) {
        problems.addUnknown(path, 'object group', group, 'it is ignored', objectGroups);
      }
    });
    const members = named.filter((group) => objectGroups.has(group));
    const brought = members.flatMap((group) => objectGroups.get(group)?.objects ?? []);
    groups.set(id, compileGroup(id, members, brought, objects));
  }
  return groups;
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
