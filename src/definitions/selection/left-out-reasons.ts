import type { AutoInventory } from '../../model/inventory.ts';
import type { CompiledObject } from '../compiler/compiled-definitions.ts';
import type { AutoCatalog } from './auto-catalog.ts';
import { findRefusal, type ObjectWish } from './object-wish.ts';

/** Why an object, or everything below a root, is not collected: one word in `explain`, `coverage` and the API. The first says most. */
export const leftOutReasons = {
  budget: 'polling it would exceed `max_values_per_minute` or `max_packets_per_minute` of snmp-discovery',
  replaced: 'another object has the same measurements and is collected instead (`replaces`)',
  cut: 'a limit of the discovery was reached before all of it was read: `cut` of the inventory says which',
  silent: 'the device gave no answer to it that can be used: silence, an error, or OIDs that do not increase',
  no_rows:
    'the device has a column of it, but no row at its `discovery_attribute`, or none that its `rows` choose',
  without: 'the device group leaves it out (`without`)',
  on_request: 'it is collected on request only (`collect: on_request`), and no device group names it',
  not_in_group: 'the device groups are lists that do not name it',
  not_answered: 'the device has nothing of it',
  no_definition: 'no definition reads anything below the root',
} as const;

export type LeftOutReason = keyof typeof leftOutReasons;

/** In the order of the table. */
export const leftOutWords = Object.keys(leftOutReasons) as LeftOutReason[];

export interface LeftOut {
  readonly why: LeftOutReason;
  /** The object that is collected instead. */
  readonly by?: string;
}

/** How an inventory writes why an object is left out. */
export function leftOutText({ why, by }: LeftOut): string {
  return by === undefined ? why : `${why} by ${by}`;
}

function readText(text: string): LeftOut {
  const [why, by] = text.split(' by ', 2) as [LeftOutReason, string?];
  return by === undefined ? { why } : { why, by };
}

/** Why a device does not collect an object that its inventory does not have. `auto` is missing where its groups are lists. */
export function findLeftOut(
  object: CompiledObject,
  wish: ObjectWish,
  auto: AutoInventory | undefined,
  catalog: AutoCatalog,
): LeftOut {
  const refusal = findRefusal(object, wish);
  if (refusal !== undefined) return { why: refusal };
  const text = auto?.leftOut[object.id];
  if (text !== undefined) return readText(text);
  const silent = auto?.silentRoots ?? [];
  return { why: catalog.rootsOf(object).some((root) => silent.includes(root)) ? 'silent' : 'not_answered' };
}

/** Why nothing below a root is collected, given why each object below it is not. In the order of the table. */
export function listRootReasons(
  objects: Iterable<CompiledObject>,
  find: (object: CompiledObject) => LeftOut,
) {
  const found = new Set<LeftOutReason>();
  for (const object of objects) found.add(find(object).why);
  if (found.size === 0) found.add('no_definition');
  return leftOutWords.filter((word) => found.has(word));
}
