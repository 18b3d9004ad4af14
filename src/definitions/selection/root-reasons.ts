import type { AutoInventory } from '../../model/inventory.ts';
import type { Oid } from '../../model/oid.ts';
import type { AutoCatalog } from './auto-catalog.ts';
import { findLeftOut, type LeftOutReason, listRootReasons } from './left-out-reasons.ts';
import type { ObjectWish } from './object-wish.ts';

export interface UncollectedRoot {
  readonly root: Oid;
  readonly why: readonly LeftOutReason[];
}

/** Explains the uncollected roots of many devices. What is equal on many devices is looked for once. */
export class RootReasons {
  readonly #catalog: AutoCatalog;
  readonly #wishOf: (deviceGroups: readonly string[]) => ObjectWish;
  readonly #wishes = new Map<string, ObjectWish>();
  readonly #known = new Map<string, readonly LeftOutReason[]>();

  constructor(catalog: AutoCatalog, wishOf: (deviceGroups: readonly string[]) => ObjectWish) {
    this.#catalog = catalog;
    this.#wishOf = wishOf;
  }

  /** The roots of an inventory that nothing collects, each with the reasons. */
  explain(auto: AutoInventory, deviceGroups: readonly string[]): UncollectedRoot[] {
    const groups = JSON.stringify(deviceGroups);
    return auto.uncollected.map((root) => {
      const isSilent = auto.silentRoots?.includes(root) === true;
      const key = JSON.stringify([groups, root, isSilent, this.#listBelow(root, auto)]);
      const why = this.#known.get(key) ?? this.#explainRoot(root, auto, groups, deviceGroups);
      this.#known.set(key, why);
      return { root, why };
    });
  }

  #explainRoot(root: Oid, auto: AutoInventory, groups: string, deviceGroups: readonly string[]) {
    const wish = this.#wishes.get(groups) ?? this.#wishOf(deviceGroups);
    this.#wishes.set(groups, wish);
    const catalog = this.#catalog;
    return listRootReasons(catalog.objectsBelow(root), (object) => findLeftOut(object, wish, auto, catalog));
  }

  /** What was left out below a root. */
  #listBelow(root: Oid, { leftOut }: AutoInventory): string[] {
    return Object.entries(leftOut).flatMap(([id, text]) => {
      const object = this.#catalog.objects.get(id);
      return object !== undefined && this.#catalog.rootsOf(object).includes(root) ? [`${id} ${text}`] : [];
    });
  }
}
