import type { Oid } from '../../model/oid.ts';
import type { CompiledObject } from '../compiler/compiled-definitions.ts';
import { ownAttributes } from '../own-attributes.ts';
import { rootOf, rootsOf } from './answer-roots.ts';
import { findRefusal, type ObjectWish } from './object-wish.ts';
import { orderKey } from './order-key.ts';
import type { Candidate } from './presence-search.ts';

type Objects = ReadonlyMap<string, CompiledObject>;

/** The objects of one generation of definitions, prepared for asking devices for them. */
export class AutoCatalog {
  readonly objects: Objects;
  readonly #candidates = new Map<string, Candidate>();
  readonly #roots = new Map<string, readonly Oid[]>();
  #belowRoots: Map<Oid, CompiledObject[]> | undefined;

  constructor(objects: Objects) {
    this.objects = objects;
  }

  /** The objects to ask a device for, in file order. */
  *wanted(wish: ObjectWish): Generator<CompiledObject> {
    for (const object of this.objects.values()) if (findRefusal(object, wish) === undefined) yield object;
  }

  /** The roots below which an object has columns. */
  rootsOf(object: CompiledObject): readonly Oid[] {
    const known = this.#roots.get(object.id);
    if (known !== undefined) return known;
    const roots = [...rootsOf(object)];
    this.#roots.set(object.id, roots);
    return roots;
  }

  /** The objects that have columns below a root, in file order. */
  objectsBelow(root: Oid): readonly CompiledObject[] {
    this.#belowRoots ??= this.#sortByRoot();
    return this.#belowRoots.get(root) ?? [];
  }

  #sortByRoot(): Map<Oid, CompiledObject[]> {
    const sorted = new Map<Oid, CompiledObject[]>();
    for (const object of this.objects.values()) {
      for (const root of this.rootsOf(object)) {
        const others = sorted.get(root);
        if (others === undefined) sorted.set(root, [object]);
        else others.push(object);
      }
    }
    return sorted;
  }

  /** An object as the search for it needs it. */
  candidateOf(object: CompiledObject): Candidate {
    const { id, attributes } = object;
    const known = this.#candidates.get(id);
    if (known !== undefined) return known;
    const columns = Array.from(ownAttributes(attributes), ({ column }) => ({
      oid: column,
      key: orderKey(column),
    }));
    columns.sort((a, b) => (a.key < b.key ? -1 : 1));
    const candidate = { id, columns };
    this.#candidates.set(id, candidate);
    return candidate;
  }
}

/** A root as the search for it needs it. */
export function rootCandidate(root: Oid): Candidate {
  return { id: root, columns: [{ oid: root, key: orderKey(root) }] };
}

/** The enterprise of a sysObjectID; undefined for one that no enterprise assigned. */
export function enterpriseOf(sysObjectId: Oid | undefined): Oid | undefined {
  return sysObjectId?.startsWith('1.3.6.1.4.1.') ? rootOf(`${sysObjectId}.0`) : undefined;
}
