import type { DefinitionKind } from '../schema/definition-kinds.ts';
import type { RawDefinitions } from '../schema/raw-definitions.ts';
import { CompileCache } from './compile-cache.ts';
import { compileDeviceGroups, compileObjectGroups } from './compile-groups.ts';
import { compileNotifications } from './compile-notifications.ts';
import type { CompiledDefinitions, CompiledEnum, CompiledObject } from './compiled-definitions.ts';
import { reportFieldCollisions } from './field-collisions.ts';
import { reportForeignWords } from './foreign-words.ts';
import { linkObjects } from './links/link-objects.ts';
import { type DefinitionProblem, ProblemList } from './problem-list.ts';

export interface Compilation {
  /** Usable only when no problem is an error. */
  readonly definitions: CompiledDefinitions;
  readonly problems: readonly DefinitionProblem[];
}

/** The part of the definitions that depends on no group, device or network. */
export type CompiledObjects = Pick<CompiledDefinitions, 'objects' | 'notifications' | 'enums'>;

/** The definitions that `CompiledObjects` depends on. */
export const kindsOfObjects: ReadonlySet<DefinitionKind> = new Set([
  'objectTypes',
  'objects',
  'notifications',
  'integerEnums',
  'bitmapEnums',
  'oidEnums',
]);

/**
 * Compiles a set that the schemas accept. With the same cache, unchanged definitions are not compiled again. `known` is what the
 * objects, notifications and enums compile to, without a problem, where somebody has done that already.
 */
export function compileDefinitions(
  raw: RawDefinitions,
  cache = new CompileCache(),
  known?: CompiledObjects,
): Compilation {
  const problems = new ProblemList();
  const everyMsByType = new Map([...raw.objectTypes].map(([id, type]) => [id, 1000 * type.poll_interval]));
  const { objects, notifications, enums } = known ?? compileObjects(raw, everyMsByType, cache, problems);
  const objectGroups = compileObjectGroups(raw, objects, problems);
  const deviceGroups = compileDeviceGroups(raw, objectGroups, objects, problems);
  const definitions: CompiledDefinitions = {
    objects,
    tables: tablesOf(objects),
    objectGroups,
    deviceGroups,
    notifications,
    enums,
    oidNames: raw.oidEnums,
    deviceGroupsBySysObjectId: raw.sysObjectIds,
    everyMsByType,
    devices: raw.devices,
    networks: raw.networks,
  };
  reportFieldCollisions(definitions, problems);
  reportForeignWords(definitions, problems);
  return { definitions, problems: problems.problems };
}

function compileObjects(
  raw: RawDefinitions,
  everyMsByType: ReadonlyMap<string, number>,
  cache: CompileCache,
  problems: ProblemList,
): CompiledObjects {
  const enums = compileEnums(raw, cache);
  const oidNamesHash = cache.oidNamesHash(raw.oidEnums);
  const objects = linkObjects({ raw, enums, oidNamesHash, everyMsByType, cache, problems });
  const notifications = compileNotifications({ raw, objects, enums, oidNamesHash, problems });
  return { objects, notifications, enums };
}

function compileEnums(raw: RawDefinitions, cache: CompileCache): Map<string, CompiledEnum> {
  const enums = new Map<string, CompiledEnum>();
  for (const [kind, tables] of [
    ['integer', raw.integerEnums],
    ['bitmap', raw.bitmapEnums],
  ] as const) {
    for (const [oid, table] of tables) {
      const id = `${kind}/${oid}`;
      enums.set(id, { id, ...cache.enumOf(table) });
    }
  }
  return enums;
}

function tablesOf(objects: ReadonlyMap<string, CompiledObject>): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  for (const { id, table } of objects.values()) {
    const members = tables.get(table);
    if (members === undefined) tables.set(table, [id]);
    else members.push(id);
  }
  return tables;
}
