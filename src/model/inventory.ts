import type { InventoryChange } from './event-map.ts';
import { type InventoryCut, isCut } from './inventory-cut.ts';
import type { Oid } from './oid.ts';

/** The result of a discovery: the objects and instances of a device. Immutable: each discovery makes a new one. */
export interface Inventory {
  /** Grows with each discovery of the device. */
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly discoveredMs: number;
  /** The generation of the definitions that the discovery used. */
  readonly generation: number;
  readonly sysObjectId: Oid | undefined;
  /** Hundredths of a second since the agent started, at the time of the discovery. */
  readonly sysUpTime: number | undefined;
  /** The IP address that answered: the device's own, or what its host name resolved to. */
  readonly address: string;
  /** The position of the credential that the device accepted. */
  readonly credential: number;
  /** The device groups: configured, or found by sysObjectID. */
  readonly deviceGroups: readonly string[];
  /** By object id. An object of the groups that is missing here has never been discovered. */
  readonly objects: ReadonlyMap<string, ObjectInventory>;
  /** Objects in further SNMPv3 contexts, by context name; absent when there are none. */
  readonly contexts?: ReadonlyMap<string, ReadonlyMap<string, ObjectInventory>>;
  /** Present for a device whose own answers decided which objects it collects. */
  readonly auto?: AutoInventory;
  /** Present when a limit ended the discovery of objects. */
  readonly cut?: InventoryCut;
  /** The estimated memory of the inventory and of polling it. */
  readonly bytes?: number;
}

/** What a device with `objects: auto` answered, beside the objects that it collects. */
export interface AutoInventory {
  /** The standard MIBs and vendors of which the device answered something. */
  readonly roots: readonly Oid[];
  /** Those of which nothing is collected. */
  readonly uncollected: readonly Oid[];
  /** Objects that were looked for and are not collected, and why: `replaced by …`, `budget`, `cut`, `silent` or `no_rows`. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Roots below which not everything could be asked for. */
  readonly silentRoots?: readonly Oid[];
}

/** The instances of one object on a device. */
export interface ObjectInventory {
  /** The object's hash when it was discovered. */
  readonly hash: string;
  /** Index arcs in the order in which agents answer; `['0']` for scalars, none for a table without rows. */
  readonly instances: readonly string[];
  /**
   * For each attribute that overrides others, where it exists: true for every instance, else the positions of the instances
   * that have it. An attribute that is missing here overrides nothing and is expected in every instance.
   */
  readonly overriding: Readonly<Record<string, true | readonly number[]>>;
  /** Why the walk did not reach its end; the instances are then those that it found, or those of the previous inventory. */
  readonly partial?: string;
}

/** Instances that are compared in one step, between other work. */
const instancesPerStep = 1_000;

/** Added and removed instances by object, in further contexts by `context/object`. Unchanged objects are left out. */
export function* compareInventories(
  before: Inventory | undefined,
  after: Inventory,
): Generator<void, InventoryChange> {
  const added: Record<string, number> = {};
  const removed: Record<string, number> = {};
  let instances = 0;
  const earlier = listObjects(before);
  const current = listObjects(after);
  for (const id of new Set([...earlier.keys(), ...current.keys()])) {
    const old = earlier.get(id)?.instances ?? [];
    const now = current.get(id)?.instances ?? [];
    instances += now.length;
    const kept = yield* countShared(old, now);
    if (now.length > kept) added[id] = now.length - kept;
    if (old.length > kept) removed[id] = old.length - kept;
  }
  const partial = listPartial(after);
  const isWhole = Object.keys(partial).length === 0;
  return { objects: current.size, instances, added, removed, ...(isWhole ? {} : { partial }) };
}

/** Why objects were not read to their end, by object, in further contexts by `context/object`. */
export function listPartial(inventory: Inventory | undefined): Readonly<Record<string, string>> {
  const objects = [...listObjects(inventory)];
  return Object.fromEntries(
    objects.flatMap(([id, { partial }]) => (partial === undefined ? [] : [[id, partial]])),
  );
}

/** Rows rarely move: those at the same position are compared first. */
function* countShared(one: readonly string[], other: readonly string[]): Generator<void, number> {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) {
    if (++shared % instancesPerStep === 0) yield;
  }
  const rest = new Set<string>();
  for (let position = shared; position < one.length; position++) {
    if (position % instancesPerStep === 0) yield;
    rest.add(one[position]!);
  }
  for (let position = shared, end = rest.size === 0 ? 0 : other.length; position < end; position++) {
    if (position % instancesPerStep === 0) yield;
    if (rest.has(other[position]!)) shared++;
  }
  return shared;
}

function listObjects(inventory: Inventory | undefined): ReadonlyMap<string, ObjectInventory> {
  if (inventory?.contexts === undefined) return inventory?.objects ?? new Map();
  const further = [...inventory.contexts].flatMap(([context, objects]) =>
    [...objects].map(([id, object]) => [`${context}/${id}`, object] as const),
  );
  return new Map([...inventory.objects, ...further]);
}

/** An inventory as JSON can hold it; `decodeInventory` is its inverse. */
export function encodeInventory(inventory: Inventory): unknown {
  const { contexts, ...rest } = inventory;
  const further = [...(contexts ?? [])].map(([name, objects]) => [name, [...objects]]);
  return {
    ...rest,
    objects: [...inventory.objects],
    ...(contexts === undefined ? {} : { contexts: further }),
  };
}

/** The JSON of `encodeInventory` in pieces, so that it can be written between other work. */
export function* writeInventory(inventory: Inventory): Generator<string> {
  const { objects, contexts, ...rest } = inventory;
  yield `${JSON.stringify(rest).slice(0, -1)},"objects":`;
  yield* writeObjects(objects);
  if (contexts !== undefined) {
    let before = ',"contexts":[';
    for (const [name, found] of contexts) {
      yield `${before}[${JSON.stringify(name)},`;
      yield* writeObjects(found);
      before = '],';
    }
    yield contexts.size === 0 ? `${before}]` : ']]';
  }
  yield '}';
}

function* writeObjects(objects: Inventory['objects']): Generator<string> {
  let before = '[';
  for (const [id, { instances, ...rest }] of objects) {
    yield `${before}[${JSON.stringify(id)},${JSON.stringify(rest).slice(0, -1)},"instances":[`;
    for (let from = 0; from < instances.length; from += instancesPerStep) {
      const some = JSON.stringify(instances.slice(from, from + instancesPerStep)).slice(1, -1);
      yield from === 0 ? some : `,${some}`;
    }
    yield ']}]';
    before = ',';
  }
  yield objects.size === 0 ? `${before}]` : ']';
}

/** Undefined for a value that `encodeInventory` did not make. */
export function decodeInventory(value: unknown): Inventory | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { objects, contexts, ...rest } = value as Stored;
  if (!Array.isArray(objects) || !objects.every(isObjectEntry)) return undefined;
  const { version, credential, discoveredMs, generation, address, deviceGroups, sysObjectId, sysUpTime } =
    rest;
  if (![version, credential, discoveredMs, generation].every(Number.isFinite)) return undefined;
  if (typeof address !== 'string' || !isTexts(deviceGroups)) return undefined;
  if (sysObjectId !== undefined && typeof sysObjectId !== 'string') return undefined;
  if (sysUpTime !== undefined && typeof sysUpTime !== 'number') return undefined;
  if (rest.bytes !== undefined && !Number.isFinite(rest.bytes)) return undefined;
  if (rest.cut !== undefined && !isCut(rest.cut)) return undefined;
  if (rest.auto !== undefined && !isAuto(rest.auto)) return undefined;
  const further = contexts === undefined ? {} : { contexts: decodeContexts(contexts) };
  return {
    sysObjectId: undefined,
    sysUpTime: undefined,
    ...rest,
    objects: new Map(objects),
    ...further,
  } as Inventory;
}

type Stored = Omit<Partial<Inventory>, 'objects' | 'contexts'> & {
  readonly objects?: unknown;
  readonly contexts?: unknown;
};

/** Contexts that cannot be read are left out: the next discovery finds them again. */
function decodeContexts(value: unknown): Inventory['contexts'] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    entries.flatMap((entry) => {
      const [name, objects] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
      if (typeof name !== 'string' || !Array.isArray(objects) || !objects.every(isObjectEntry)) return [];
      return [[name, new Map(objects)] as const];
    }),
  );
}

function isObjectEntry(entry: unknown): entry is [string, ObjectInventory] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
  const { hash, instances, overriding } = (entry[1] ?? {}) as Partial<ObjectInventory>;
  if (typeof hash !== 'string' || !isTexts(instances)) return false;
  if (typeof overriding !== 'object' || overriding === null) return false;
  return Object.values(overriding).every(
    (where) => where === true || (Array.isArray(where) && where.every(Number.isInteger)),
  );
}

function isAuto({ roots, uncollected, leftOut, silentRoots = [] }: Partial<AutoInventory>): boolean {
  if (!isTexts(roots) || !isTexts(uncollected) || !isTexts(silentRoots)) return false;
  return typeof leftOut === 'object' && leftOut !== null && isTexts(Object.values(leftOut));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
