import type { CompiledObject } from '../../../src/internal.ts';
import type { Generation } from '../../definitions-loader/service.ts';

/** The objects that a list of device groups brings in. */
export interface ObjectSelection {
  readonly objects: readonly CompiledObject[];
  readonly everyMsByType: ReadonlyMap<string, number>;
  /** Equal in two generations when everything that polling depends on is. */
  readonly key: string;
}

/** What one generation of definitions has for device groups; made once for each list of groups that devices have. */
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
    const selection = {
      objects,
      everyMsByType: generation.sections.everyMsByType,
      key: JSON.stringify(objects.map(({ id, hash }) => [id, hash])),
    };
    this.#selections.set(name, selection);
    return selection;
  }
}
