import type { LoadedModule } from './loaded-module.ts';
import type { NameSpace } from './name-finder.ts';

/** The first module of a set that defines each name: looking into every module for every name would take their product. */
export class DefiningModules {
  readonly #values = new Map<string, LoadedModule>();
  readonly #types = new Map<string, LoadedModule>();

  constructor(modules: Iterable<LoadedModule>) {
    for (const module of modules) this.add(module);
  }

  add(module: LoadedModule): void {
    addNames(this.#values, module, module.values.keys());
    addNames(this.#types, module, module.types.keys());
  }

  find(name: string, space: NameSpace): LoadedModule | undefined {
    return (space === 'values' ? this.#values : this.#types).get(name);
  }
}

function addNames(first: Map<string, LoadedModule>, module: LoadedModule, names: Iterable<string>): void {
  for (const name of names) {
    const other = first.get(name);
    if (other === undefined || module.order < other.order) first.set(name, module);
  }
}
