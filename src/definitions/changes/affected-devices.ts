import type { DefinitionChanges } from '../../model/definition-changes.ts';
import { isUnderOid, type Oid } from '../../model/oid.ts';
import type { CompiledDefinitions, CompiledObject } from '../compiler/compiled-definitions.ts';
import { findSysObjectIdEntry, lastResortOid } from '../generation/device-group-finder.ts';
import { ownAttributes } from '../own-attributes.ts';
import { rootsOf } from '../selection/answer-roots.ts';

/**
 * The devices of which an object is polled or recorded in another way after `changes`, in the order given. A device group
 * counts as changed when anything changed that its objects depend on, so only the groups of each device are compared.
 * `deviceGroups` are the groups in use for the device, configured or found by its sysObjectID.
 */
export function findAffectedDevices<Device extends { readonly deviceGroups: readonly string[] }>(
  changes: Pick<DefinitionChanges, 'deviceGroups'>,
  devices: Iterable<Device>,
): Device[] {
  const { added, changed, removed } = changes.deviceGroups;
  const groups = new Set([...added, ...changed, ...removed]);
  if (groups.size === 0) return [];
  return Array.from(devices).filter(({ deviceGroups }) => deviceGroups.some((group) => groups.has(group)));
}

/** An object that `objects: auto` may find where it did not look for it before. */
export interface NewObject {
  readonly id: string;
  readonly roots: readonly Oid[];
}

/** The objects that are new for `auto`, or are looked for in another way: at other columns, or not only on request any more. */
export function findNewObjects(
  { objects: { added, changed } }: Pick<DefinitionChanges, 'objects'>,
  before: CompiledDefinitions['objects'],
  after: CompiledDefinitions['objects'],
): NewObject[] {
  return [...added, ...changed].flatMap((id) => {
    const object = after.get(id)!;
    if (object.collect === 'on_request') return [];
    const earlier = before.get(id);
    const isSame =
      earlier !== undefined && earlier.collect === object.collect && columnsOf(earlier) === columnsOf(object);
    return isSame ? [] : [{ id, roots: [...rootsOf(object)] }];
  });
}

function columnsOf({ attributes }: CompiledObject): string {
  return Array.from(ownAttributes(attributes), ({ column }) => column)
    .sort()
    .join();
}

/** What a device with `objects: auto` answered. */
export interface AutoAnswers {
  readonly roots: readonly Oid[];
  /** Objects that it collects, or has and leaves out. */
  readonly objects: Iterable<string>;
}

/**
 * Of the devices with `objects: auto`, those whose inventory holds an object that changed or was removed, and those that answer the
 * root of a new object.
 */
export function findAutoAffected<
  Device extends { readonly deviceGroups: readonly string[]; readonly auto?: AutoAnswers | undefined },
>(
  { objects: { changed, removed } }: Pick<DefinitionChanges, 'objects'>,
  newObjects: readonly NewObject[],
  { deviceGroups }: Pick<CompiledDefinitions, 'deviceGroups'>,
  devices: Iterable<Device>,
): Device[] {
  const touched = new Set([...changed, ...removed]);
  const newByRoot = new Map<Oid, string[]>();
  for (const { id, roots } of newObjects) {
    for (const root of roots) {
      const others = newByRoot.get(root);
      if (others === undefined) newByRoot.set(root, [id]);
      else others.push(id);
    }
  }
  if (touched.size === 0 && newByRoot.size === 0) return [];
  return Array.from(devices).filter(({ auto, deviceGroups: ids }) => {
    if (auto === undefined) return false;
    for (const id of auto.objects) if (touched.has(id)) return true;
    const isLeftOut = (object: string) =>
      ids.some((id) => deviceGroups.get(id)?.auto?.without.includes(object) === true);
    return auto.roots.some((root) => newByRoot.get(root)?.some((object) => !isLeftOut(object)));
  });
}

/**
 * The devices that get their group from another sysObjectID entry after `changes`: the entry that their sysObjectID matched was
 * changed or removed, or a more specific one was added.
 */
export function findRemappedDevices<Device extends { readonly sysObjectId?: Oid | undefined }>(
  { sysObjectIds: { added, changed, removed } }: Pick<DefinitionChanges, 'sysObjectIds'>,
  running: Pick<CompiledDefinitions, 'deviceGroupsBySysObjectId' | 'deviceGroups'>,
  devices: Iterable<Device>,
): Device[] {
  const touched = [...added, ...changed, ...removed];
  if (touched.length === 0) return [];
  return Array.from(devices).filter(({ sysObjectId }) => {
    if (sysObjectId === undefined) return false;
    const matched = findSysObjectIdEntry(running, sysObjectId)?.length ?? 0;
    const applies = (oid: Oid) => isUnderOid(sysObjectId, oid) || isUnderOid(lastResortOid, oid);
    return touched.some((oid) => oid.length >= matched && applies(oid));
  });
}
