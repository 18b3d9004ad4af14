import {
  type ChangeKind,
  type Changes,
  changeKinds,
  type DefinitionChanges,
} from '../../model/definition-changes.ts';
import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';

/** The id of all OID names together. */
const oidNamesId = 'oid';

/** A value that differs, and its place: keys and positions. Undefined on the side where it is missing. */
export interface ValueDifference {
  readonly path: readonly (string | number)[];
  readonly before: unknown;
  readonly after: unknown;
}

/** A field of a definition that differs. */
export interface FieldChange extends ValueDifference {
  readonly kind: ChangeKind;
  readonly id: string;
}

/**
 * What differs between two generations, by id. An object is changed when its polling or its records are, also through
 * something that it depends on. A group is changed when one of its objects is changed, added or removed.
 */
export function diffDefinitions(before: CompiledDefinitions, after: CompiledDefinitions): DefinitionChanges {
  const left = kindsOf(before);
  const right = kindsOf(after);
  return {
    objects: changesOf(left.objects, right.objects, isEqualByHash),
    objectGroups: changesOf(left.objectGroups, right.objectGroups, isEqualByHash),
    deviceGroups: changesOf(left.deviceGroups, right.deviceGroups, isEqualByHash),
    notifications: changesOf(left.notifications, right.notifications, isEqualByHash),
    enums: changesOf(left.enums, right.enums, isEqualEnum),
    devices: changesOf(left.devices, right.devices, isEqualDeeply),
    sysObjectIds: changesOf(left.sysObjectIds, right.sysObjectIds, isEqualDeeply),
    networks: changesOf(left.networks, right.networks, isEqualDeeply),
  };
}

/** What is compared: for each kind a map by id. */
function kindsOf(definitions: CompiledDefinitions) {
  const { objects, objectGroups, deviceGroups, devices, deviceGroupsBySysObjectId, networks, notifications } =
    definitions;
  const enums = enumHolders(definitions);
  const sysObjectIds = deviceGroupsBySysObjectId;
  return { objects, objectGroups, deviceGroups, notifications, enums, devices, sysObjectIds, networks };
}

export function isUnchanged(changes: DefinitionChanges): boolean {
  return Object.values(changes).every(
    ({ added, changed, removed }) => added.length + changed.length + removed.length === 0,
  );
}

/**
 * For people: the fields that differ in changed definitions. An id of `changes` without a field here changed through
 * something that it depends on. Secrets are never shown.
 */
export function listFieldChanges(
  before: CompiledDefinitions,
  after: CompiledDefinitions,
  changes: DefinitionChanges,
): FieldChange[] {
  const left = kindsOf(before);
  const right = kindsOf(after);
  return changeKinds.flatMap((kind) =>
    changes[kind].changed.flatMap((id) =>
      listDifferences(left[kind].get(id), right[kind].get(id))
        .filter(({ path }) => path[0] !== 'hash')
        .map((difference) => ({ kind, id, ...withoutSecrets(difference) })),
    ),
  );
}

const secretKeys: ReadonlySet<string | number | undefined> = new Set([
  'communities',
  'v3_credentials',
  'credentials',
]);

function withoutSecrets(difference: ValueDifference): ValueDifference {
  return secretKeys.has(difference.path[0]) ? { ...difference, before: '***', after: '***' } : difference;
}

function changesOf<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  isEqual: (left: Value, right: Value) => boolean,
): Changes {
  const added: string[] = [];
  const changed: string[] = [];
  for (const [id, value] of after) {
    const old = before.get(id);
    if (old === undefined) added.push(id);
    else if (old !== value && !isEqual(old, value)) changed.push(id);
  }
  const removed = [...before.keys()].filter((id) => !after.has(id));
  return { added: added.sort(), changed: changed.sort(), removed: removed.sort() };
}

interface Enum {
  readonly hash?: string;
  readonly names: ReadonlyMap<unknown, string>;
}

function enumHolders({ enums, oidNames }: CompiledDefinitions): ReadonlyMap<string, Enum> {
  return oidNames.size === 0 ? enums : new Map<string, Enum>([...enums, [oidNamesId, { names: oidNames }]]);
}

function isEqualByHash(left: { readonly hash: string }, right: { readonly hash: string }): boolean {
  return left.hash === right.hash;
}

function isEqualEnum(left: Enum, right: Enum): boolean {
  return left.hash === undefined ? isEqualDeeply(left.names, right.names) : left.hash === right.hash;
}

function isEqualDeeply(left: unknown, right: unknown): boolean {
  return listDifferences(left, right).length === 0;
}

/** The leaves that differ between two values of plain data and maps, whatever the order of keys. */
function listDifferences(
  before: unknown,
  after: unknown,
  path: ValueDifference['path'] = [],
): ValueDifference[] {
  if (before === after) return [];
  if (!isHolder(before) || !isHolder(after)) return [{ path, before, after }];
  const left = entriesOf(before);
  const right = entriesOf(after);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    listDifferences(left.get(key), right.get(key), [...path, key]),
  );
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function entriesOf(value: object): ReadonlyMap<string | number, unknown> {
  if (value instanceof Map) return value;
  return new Map<string | number, unknown>(Array.isArray(value) ? value.entries() : Object.entries(value));
}
