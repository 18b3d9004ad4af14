import type { RawDefinitions } from '../../schema/raw-definitions.ts';
import type { CompileCache } from '../compile-cache.ts';
import type { UnlinkedObject } from '../compile-object.ts';

/** The objects that can be linked, in file order. Each is compiled when somebody asks for it. */
export class UnlinkedObjects {
  readonly #raw: RawDefinitions['objects'];
  readonly #linkable: ReadonlySet<string>;
  readonly #cache: CompileCache;

  constructor(raw: RawDefinitions['objects'], linkable: ReadonlySet<string>, cache: CompileCache) {
    this.#raw = raw;
    this.#linkable = linkable;
    this.#cache = cache;
  }

  get size(): number {
    return this.#linkable.size;
  }

  has(id: string): boolean {
    return this.#linkable.has(id);
  }

  get(id: string): UnlinkedObject | undefined {
    const raw = this.#linkable.has(id) ? this.#raw.get(id) : undefined;
    return raw && this.#cache.objectOf(raw);
  }

  *keys(): MapIterator<string> {
    for (const id of this.#raw.keys()) if (this.#linkable.has(id)) yield id;
  }
}
