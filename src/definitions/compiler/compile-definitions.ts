import type { RawDefinitions } from '../schema/raw-definitions.ts';
import { CompileCache } from './compile-cache.ts';
import { compileDeviceGroups, compileObjectGroups } from './compile-groups.ts';
import { compileNotifications } from './compile-notifications.ts';
import type {
  CompiledDefinitions,
  CompiledEnum,
  CompiledObject,
  CompiledObjects,
} from './compiled-definitions.ts';
import { reportFieldCollisions } from './field-collisions.ts';
import { reportForeignWords } from './foreign-words.ts';
import { type LinkContext, linkObjects } from './links/link-objects.ts';
import { type DefinitionProblem, ProblemList } from './problem-list.ts';
import { type CompiledBefore, UnchangedParts } from './unchanged-parts.ts';

export interface Compilation {
  /** Usable only when no problem is an error. */
  readonly definitions: CompiledDefinitions;
  readonly problems: readonly DefinitionProblem[];
}

/**
 * Compiles a set that the schemas accept. With the same cache, unchanged definitions are not compiled again, and neither are those that are
 * the same as in `before`.
 */
export function compileDefinitions(
  raw: RawDefinitions,
  cache = new CompileCache(),
  before?: CompiledBefore,
): Compilation {
  const problems = new ProblemList();
  const everyMsByType = new Map([...raw.objectTypes].map(([id, type]) => [id, 1000 * type.poll_interval]));
  const unchanged = before && new UnchangedParts(raw, before);
  const { objects, notifications, enums } = compileObjects({
    raw,
    everyMsByType,
    cache,
    problems,
    unchanged,
  });
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

function compileObjects(given: Omit<LinkContext, 'enums' | 'oidNamesHash'>): CompiledObjects {
  const { raw, cache, problems, unchanged } = given;
  const enums = compileEnums(raw, cache, unchanged);
  const oidNamesHash = cache.oidNamesHash(raw.oidEnums);
  const objects = linkObjects({ ...given, enums, oidNamesHash });
  const notifications = compileNotifications({ raw, objects, enums, oidNamesHash, problems, unchanged });
  return { objects, notifications, enums };
}

function compileEnums(
  raw: RawDefinitions,
  cache: CompileCache,
  unchanged: UnchangedParts | undefined,
): Map<string, CompiledEnum> {
  const enums = new Map<string, CompiledEnum>();
  for (const [kind, tables] of [
    ['integer', raw.integerEnums],
    ['bitmap', raw.bitmapEnums],
  ] as const) {
    for (const [oid, table] of tables) {
      const id = `${kind}/${oid}`;
      enums.set(id, unchanged?.findEnum(id) ?? { id, ...cache.enumOf(table) });
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
