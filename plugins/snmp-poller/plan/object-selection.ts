import { crc32 } from 'node:zlib';
import type { CompiledObject } from '../../../src/internal.ts';
import type { Generation } from '../../definitions-loader/service.ts';

/** The objects that a list of device groups includes. */
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
  readonly #selections = new Map<string, ObjectSelection>();

  constructor(generation: Generation) {
    this.generation = generation;
  }

  find(groups: readonly string[]): ObjectSelection {
    const name = JSON.stringify(groups);
    const known = this.#selections.get(name);
    if (known !== undefined) return known;
    const { generation } = this;
    const ids = new Set(groups.flatMap((id) => generation.findDeviceGroup(id)?.definition.objects ?? []));
    const objects = [...ids].flatMap((id) => generation.findObject(id)?.definition ?? []);
    const wordings = new Map(objects.map((object) => [object.id, wordingOf(object)]));
    const selection = {
      objects,
      wordings,
      everyMsByType: generation.sections.everyMsByType,
      key: JSON.stringify(objects.map(({ id, hash }) => [id, hash, wordings.get(id)])),
    };
    this.#selections.set(name, selection);
    return selection;
  }
}

function wordingOf({ attributes }: CompiledObject): number {
  return crc32(JSON.stringify(Array.from(attributes.values(), ({ description }) => description)));
}
