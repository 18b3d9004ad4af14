import type { InventoryChange } from './event-map.ts';
import type { Oid } from './oid.ts';

/** What a device turned out to have. Immutable: a discovery makes another one. */
export interface Inventory {
  /** Grows with each discovery of the device. */
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly discoveredMs: number;
  /** The generation of definitions that it was discovered by. */
  readonly generation: number;
  readonly sysObjectId: Oid | undefined;
  /** Hundredths of a second since the agent started, when it was asked. */
  readonly sysUpTime: number | undefined;
  /** The IP address that answered: the device's own, or what its host name resolved to. */
  readonly address: string;
  /** Which of the device's credentials answered, by position. */
  readonly credential: number;
  /** The groups that hold: configured, or found by sysObjectID. */
  readonly deviceGroups: readonly string[];
  /** By object id. An object of the groups that is not here was never discovered. */
  readonly objects: ReadonlyMap<string, ObjectInventory>;
}

export interface ObjectInventory {
  /** The object's hash when it was discovered. */
  readonly hash: string;
  /** Index arcs in the order in which agents answer; `['0']` for scalars, none for a table without rows. */
  readonly instances: readonly string[];
  /**
   * For each attribute that overrides others, where it exists: true for every instance, else the positions of those that
   * have it. An attribute that is not here overrides nothing and is expected everywhere.
   */
  readonly overriding: Readonly<Record<string, true | readonly number[]>>;
  /** Why the walk did not reach the end; the instances are then those it found, or those of the inventory before. */
  readonly partial?: string;
}

/** Instances that came and went, by object; objects without a difference are left out. */
export function compareInventories(before: Inventory | undefined, after: Inventory): InventoryChange {
  const added: Record<string, number> = {};
  const removed: Record<string, number> = {};
  let instances = 0;
  for (const id of new Set([...(before?.objects.keys() ?? []), ...after.objects.keys()])) {
    const old = new Set(before?.objects.get(id)?.instances);
    const now = after.objects.get(id)?.instances ?? [];
    instances += now.length;
    const kept = now.filter((instance) => old.has(instance)).length;
    if (now.length > kept) added[id] = now.length - kept;
    if (old.size > kept) removed[id] = old.size - kept;
  }
  return { objects: after.objects.size, instances, added, removed };
}

/** An inventory as JSON can hold it; `decodeInventory` is its inverse. */
export function encodeInventory(inventory: Inventory): unknown {
  return { ...inventory, objects: [...inventory.objects] };
}

/** Undefined for what `encodeInventory` did not make. */
export function decodeInventory(value: unknown): Inventory | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { objects, ...rest } = value as Partial<Inventory> & { readonly objects?: unknown };
  if (!Array.isArray(objects) || !objects.every(isObjectEntry)) return undefined;
  const { version, credential, address, deviceGroups } = rest;
  if (typeof version !== 'number' || typeof credential !== 'number') return undefined;
  if (typeof address !== 'string' || !isTexts(deviceGroups)) return undefined;
  return { sysObjectId: undefined, sysUpTime: undefined, ...rest, objects: new Map(objects) } as Inventory;
}

function isObjectEntry(entry: unknown): entry is [string, ObjectInventory] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
  const { hash, instances, overriding } = (entry[1] ?? {}) as Partial<ObjectInventory>;
  return (
    typeof hash === 'string' && isTexts(instances) && typeof overriding === 'object' && overriding !== null
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
