import type { CompiledObject } from '../compiler/compiled-definitions.ts';
import { findRefusal, type ObjectWish } from './object-wish.ts';

/** What a device collects, by the objects that it answers. */
export interface ObjectChoice {
  /** In file order. */
  readonly chosen: readonly CompiledObject[];
  /** Objects that the device answers too, with the object that replaces each of them. */
  readonly replaced: ReadonlyMap<string, string>;
}

/**
 * Chooses what to collect of `objects`, in file order. Of objects with the same measurements only the one that replaces the others is
 * chosen. An object that a device group names is always chosen.
 */
export function chooseObjects(
  objects: Iterable<CompiledObject>,
  wish: ObjectWish,
  answers: (id: string) => boolean,
): ObjectChoice {
  const answered: CompiledObject[] = [];
  for (const object of objects) {
    if (findRefusal(object, wish) === undefined && answers(object.id)) answered.push(object);
  }
  const isAnswered = new Set(answered.map(({ id }) => id));
  const isLeftOut = (id: string) => isAnswered.has(id) && !wish.named.has(id);
  const replacing = new Map<string, string>();
  for (const { id, replaces } of answered) {
    for (const other of replaces ?? []) if (isLeftOut(other)) replacing.set(other, id);
  }
  // The one that is collected, not one that is replaced itself.
  const lastOf = (id: string): string => {
    const by = replacing.get(id);
    return by === undefined ? id : lastOf(by);
  };
  return {
    chosen: answered.filter(({ id }) => !replacing.has(id)),
    replaced: new Map(Array.from(replacing.keys(), (id) => [id, lastOf(id)])),
  };
}
