import type { Oid } from '../../model/oid.ts';
import type { RawDefinitions } from '../schema/raw-definitions.ts';
import { findSyntax } from '../syntax/syntax-table.ts';
import type {
  CompiledEnum,
  CompiledNotification,
  CompiledObject,
  CompiledObjects,
} from './compiled-definitions.ts';
import { enumIdFor } from './links/enum-finder.ts';

/** A set that compiles without a problem, and what it compiles to. */
export interface CompiledBefore {
  readonly raw: Pick<
    RawDefinitions,
    'objects' | 'notifications' | 'integerEnums' | 'bitmapEnums' | 'oidEnums'
  >;
  readonly compiled: CompiledObjects;
  /** By object: the hash of all that it depends on, but its interval and the object that it augments. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * What of a set compiles to the same as in a set that was compiled before. A definition is unchanged when it is the same value as before,
 * and so is everything that it names, directly or through others. Intervals may differ.
 */
export class UnchangedParts {
  readonly #raw: RawDefinitions;
  readonly #before: CompiledBefore;
  readonly #enums: ReadonlySet<string>;
  readonly #hasOtherOidNames: boolean;
  readonly #objects: ReadonlySet<string>;

  constructor(raw: RawDefinitions, before: CompiledBefore) {
    this.#raw = raw;
    this.#before = before;
    this.#enums = new Set([
      ...findDifferent(raw.integerEnums, before.raw.integerEnums).map((oid) => `integer/${oid}`),
      ...findDifferent(raw.bitmapEnums, before.raw.bitmapEnums).map((oid) => `bitmap/${oid}`),
    ]);
    this.#hasOtherOidNames = findDifferent(raw.oidEnums, before.raw.oidEnums).length > 0;
    this.#objects = this.#findChangedObjects();
  }

  findObject(id: string): { readonly object: CompiledObject; readonly links: string } | undefined {
    const { compiled, links } = this.#before;
    const object = this.#objects.has(id) ? undefined : compiled.objects.get(id);
    const own = links.get(id);
    return object === undefined || own === undefined ? undefined : { object, links: own };
  }

  findEnum(id: string): CompiledEnum | undefined {
    return this.#enums.has(id) ? undefined : this.#before.compiled.enums.get(id);
  }

  /** The columns of its varbinds are those of the set before: they depend on all objects. */
  findNotification(id: string): CompiledNotification | undefined {
    const { raw, compiled } = this.#before;
    const found = compiled.notifications.get(id);
    if (found === undefined || this.#raw.notifications.get(id) !== raw.notifications.get(id))
      return undefined;
    return this.#hasOtherNames(found.attributes.values()) ? undefined : found;
  }

  /** The objects that changed, came or went, and all that depend on them. */
  #findChangedObjects(): ReadonlySet<string> {
    const { raw, compiled } = this.#before;
    const changed = new Set(findDifferent(this.#raw.objects, raw.objects));
    const dependents = new Map<string, string[]>();
    for (const { id, index, attributes, augments, replaces = [] } of compiled.objects.values()) {
      if (this.#hasOtherNames(index) || this.#hasOtherNames(attributes.values())) changed.add(id);
      const overridden = [...attributes.values()].flatMap(({ overrides }) => overrides);
      const named = [...replaces, ...overridden.map(({ object }) => object)];
      for (const other of new Set(augments === undefined ? named : [augments, ...named])) {
        const known = dependents.get(other);
        if (known === undefined) dependents.set(other, [id]);
        else known.push(id);
      }
    }
    // A set grows while it is iterated, so this follows the dependents of dependents.
    for (const id of changed) for (const dependent of dependents.get(id) ?? []) changed.add(dependent);
    return changed;
  }

  /** Whether the values of one of these columns have other names than before. */
  #hasOtherNames(columns: Iterable<{ readonly syntax: string; readonly column: Oid | undefined }>): boolean {
    if (this.#enums.size === 0 && !this.#hasOtherOidNames) return false;
    for (const { syntax, column } of columns) {
      if (column === undefined) continue;
      if (this.#hasOtherOidNames && findSyntax(syntax)?.names === 'oidEnum') return true;
      const id = enumIdFor(syntax, column);
      if (id !== undefined && this.#enums.has(id)) return true;
    }
    return false;
  }
}

/** The ids whose value is not the same, or that only one of the two has. */
function findDifferent(after: ReadonlyMap<string, unknown>, before: ReadonlyMap<string, unknown>): string[] {
  const ids = [...before.keys()].filter((id) => !after.has(id));
  for (const [id, value] of after) if (before.get(id) !== value) ids.push(id);
  return ids;
}
