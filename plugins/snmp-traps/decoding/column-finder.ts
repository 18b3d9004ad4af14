import {
  type CompiledAttribute,
  type CompiledDefinitions,
  type CompiledNotification,
  type CompiledObject,
  type IndexPart,
  ownAttributes,
} from '../../../src/definitions/index.ts';
import type { Oid } from '../../../src/index.ts';

/** What a column OID belongs to: an attribute, or a part of an index. */
export interface FoundColumn {
  readonly column: Oid;
  /** Undefined for an attribute of a notification. */
  readonly object: CompiledObject | undefined;
  readonly attribute: CompiledAttribute | undefined;
  readonly part: IndexPart | undefined;
}

type Candidates = FoundColumn | FoundColumn[];

/** Objects that are added in one step, between other work. */
const objectsPerStep = 200;

/** Finds columns over all objects of a generation. */
export class ColumnFinder {
  readonly #columns = new Map<Oid, Candidates>();

  /** Built in steps: a generation has tens of thousands of columns. */
  static *build({ objects }: Pick<CompiledDefinitions, 'objects'>): Generator<void, ColumnFinder> {
    const finder = new ColumnFinder();
    let count = 0;
    for (const object of objects.values()) {
      if (++count % objectsPerStep === 0) yield;
      // An attribute of another table has another index there.
      for (const attribute of ownAttributes(object.attributes)) {
        if (attribute.fields.length === 0 && attribute.sensor === undefined) continue;
        finder.#add({ column: attribute.column, object, attribute, part: undefined });
      }
      if (object.augments !== undefined) continue;
      for (const part of object.index) {
        if (part.column !== undefined && part.field !== undefined)
          finder.#add({ column: part.column, object, attribute: undefined, part });
      }
    }
    return finder;
  }

  /** The column with the longest OID above `oid`; of several objects the one that the device has. */
  find(
    oid: Oid,
    notification: CompiledNotification | undefined,
    isOfDevice: (object: string) => boolean,
  ): FoundColumn | undefined {
    for (let end = oid.length; end > 0; end = oid.lastIndexOf('.', end - 1)) {
      const column = oid.slice(0, end);
      const own = findOwn(column, notification);
      if (own !== undefined) return own;
      const found = this.#columns.get(column);
      if (found === undefined) continue;
      if (!Array.isArray(found)) return found;
      // Of one object the attribute comes first, which polls use too.
      return (
        found.find(({ object }) => object !== undefined && isOfDevice(object.id)) ??
        found.find(({ attribute }) => attribute !== undefined) ??
        found[0]
      );
    }
    return undefined;
  }

  #add(found: FoundColumn): void {
    const known = this.#columns.get(found.column);
    if (known === undefined) this.#columns.set(found.column, found);
    else if (Array.isArray(known)) known.push(found);
    else this.#columns.set(found.column, [known, found]);
  }
}

function findOwn(column: Oid, notification: CompiledNotification | undefined): FoundColumn | undefined {
  if (notification === undefined || notification.attributes.size === 0) return undefined;
  for (const attribute of notification.attributes.values()) {
    if (attribute.column === column) return { column, object: undefined, attribute, part: undefined };
  }
  return undefined;
}
