import type { RawDefinitions, RawEntry, RawObject } from '../schema/raw-definitions.ts';
import { compileObject, type UnlinkedObject } from './compile-object.ts';
import type { CompiledObject } from './compiled-definitions.ts';
import { hashText } from './content-hash.ts';

type RawEnum = RawEntry<'integerEnums'>;

/** An enum without its id. */
export interface EnumContent {
  readonly names: ReadonlyMap<number, string>;
  readonly hash: string;
}

/** Keeps the results for raw objects and enums as long as these exist, so that unchanged ones are not compiled again. */
export class CompileCache {
  readonly #objects = new WeakMap<RawObject, UnlinkedObject>();
  readonly #enums = new WeakMap<RawEnum, EnumContent>();
  readonly #linked = new WeakMap<UnlinkedObject | CompiledObject, CompiledObject>();
  readonly #links = new WeakMap<CompiledObject, string>();
  readonly #oidNames = new WeakMap<RawDefinitions['oidEnums'], string>();

  objectOf(raw: RawObject): UnlinkedObject {
    return remember(this.#objects, raw, compileObject);
  }

  enumOf(raw: RawEnum): EnumContent {
    return remember(this.#enums, raw, compileEnum);
  }

  /** The object from the last time when its hash is the same, so that an unchanged object stays the same value. */
  keep(
    own: UnlinkedObject | CompiledObject,
    { id, hash, links }: { readonly id: string; readonly hash: string; readonly links: string },
    make: () => CompiledObject,
  ): CompiledObject {
    const kept = this.#linked.get(own);
    if (kept?.id === id && kept.hash === hash) return kept;
    const made = make();
    this.#linked.set(own, made);
    this.#links.set(made, links);
    return made;
  }

  /** The hash of all that a kept object depends on, but its interval and the object that it augments. */
  linksOf(object: CompiledObject): string | undefined {
    return this.#links.get(object);
  }

  oidNamesHash(raw: RawDefinitions['oidEnums']): string {
    return remember(this.#oidNames, raw, (names) => hashText(JSON.stringify([...names].sort())));
  }
}

function remember<Key extends object, Value>(
  map: WeakMap<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make(key);
    map.set(key, value);
  }
  return value;
}

function compileEnum(raw: RawEnum): EnumContent {
  const names = new Map(Object.entries(raw).map(([key, text]) => [Number(key), text]));
  const sorted = [...names].sort(([left], [right]) => left - right);
  return { names, hash: hashText(JSON.stringify(sorted)) };
}
