import type { CompiledGroup, CompiledObject } from '../compiler/compiled-definitions.ts';

/** What the device groups of a device ask for together. */
export interface ObjectWish {
  /** Whether the answers of the device decide about further objects. */
  readonly isAuto: boolean;
  /** The objects that a group names. */
  readonly named: ReadonlySet<string>;
  /** The objects that `auto` leaves out. */
  readonly without: ReadonlySet<string>;
}

export function wishOf(groups: Iterable<Pick<CompiledGroup, 'objects' | 'auto'>>): ObjectWish {
  const named = new Set<string>();
  const without = new Set<string>();
  let isAuto = false;
  for (const { objects, auto } of groups) {
    for (const object of objects) named.add(object);
    for (const object of auto?.without ?? []) without.add(object);
    isAuto ||= auto !== undefined;
  }
  return { isAuto, named, without };
}

/** Why `auto` does not ask a device for an object; undefined when it does. */
export function findRefusal(
  { id, collect }: Pick<CompiledObject, 'id' | 'collect'>,
  { isAuto, named, without }: ObjectWish,
): 'not_in_group' | 'without' | 'on_request' | undefined {
  if (named.has(id)) return undefined;
  if (!isAuto) return 'not_in_group';
  if (without.has(id)) return 'without';
  return collect;
}
