import { crc32 } from 'node:zlib';
import { type CompiledObject, wishOf } from '../../../src/definitions/index.ts';
import type { Inventory } from '../../../src/index.ts';
import type { Generation } from '../../definitions-loader/service.ts';

/** The objects that a list of device groups includes, with `auto` those of them that a device has. */
export interface ObjectSelection {
  readonly objects: readonly CompiledObject[];
  readonly everyMsByType: ReadonlyMap<string, number>;
  /** By object: changes with the descriptions of its attributes, which batches carry although nothing is polled because of them. */
  readonly wordings: ReadonlyMap<string, number>;
  /** The same in two generations when everything that polling depends on is the same. */
  readonly key: string;
}

/** The object selections of one generation of definitions. Each list of groups is resolved once. */
export class ObjectSelections {
  readonly generation: Generation;
  /** By groups, for groups that are lists. */
  readonly #selections = new Map<string, ObjectSelection>();
  readonly #wordings = new Map<string, number>();

  constructor(generation: Generation) {
    this.generation = generation;
  }

  find(groups: readonly string[], { objects: found }: Pick<Inventory, 'objects'>): ObjectSelection {
    const name = JSON.stringify(groups);
    const known = this.#selections.get(name);
    if (known !== undefined) return known;
    const { generation } = this;
    const wish = wishOf(groups.flatMap((id) => generation.findDeviceGroup(id)?.definition ?? []));
    if (!wish.isAuto) {
      const selection = this.#select(wish.named);
      this.#selections.set(name, selection);
      return selection;
    }
    return this.#select([...found.keys()].filter((id) => wish.named.has(id) || !wish.without.has(id)));
  }

  #select(ids: Iterable<string>): ObjectSelection {
    const { generation } = this;
    const objects = [...ids].flatMap((id) => generation.findObject(id)?.definition ?? []);
    for (const object of objects) {
      if (!this.#wordings.has(object.id)) this.#wordings.set(object.id, wordingOf(object));
    }
    return {
      objects,
      wordings: this.#wordings,
      everyMsByType: generation.sections.everyMsByType,
      key: JSON.stringify(objects.map(({ id, hash }) => [id, hash, this.#wordings.get(id)])),
    };
  }
}

function wordingOf({ attributes }: CompiledObject): number {
  return crc32(JSON.stringify(Array.from(attributes.values(), ({ description }) => description)));
}
