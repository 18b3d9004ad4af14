import type { Definition } from '../syntax/syntax-tree.ts';
import { baseTypes } from './base-types.ts';
import type { LoadedModule } from './loaded-module.ts';
import { languageModules, wellKnownOids, wellKnownTypes } from './well-known.ts';

/** A definition and the module in which its own names are looked up. */
export interface Found {
  readonly module: LoadedModule;
  readonly definition: Definition;
}

export type NameSpace = 'values' | 'types';

/** The modules that imports lead to. */
export interface ModuleSource {
  /** The module that other modules mean by this name. */
  find(name: string): LoadedModule | undefined;
  /** The module that defines a name which nobody imports. It may look for the others, which will be asked for, at the same time. */
  findDefining(name: string, space: NameSpace, others: Iterable<string>): LoadedModule | undefined;
}

/** A name is imported from a module that imports it itself, and so on: more than this is a circle. */
const maxHops = 32;

/** Looks up names: in the module itself, then along its imports. */
export class NameFinder {
  readonly #modules: ModuleSource;
  readonly #unknown = new Map<LoadedModule, ReadonlySet<string>>();
  /** By module, the modules that it imports names from. */
  readonly #nearby = new Map<LoadedModule, readonly LoadedModule[]>();

  constructor(modules: ModuleSource) {
    this.#modules = modules;
  }

  /** `asking` cannot mean itself: `ip OBJECT IDENTIFIER ::= { ip 1 }` has an imported parent. */
  find(module: LoadedModule, name: string, space: NameSpace, asking?: Definition): Found | undefined {
    const own = module[space].get(name);
    if (own !== undefined && own !== asking) return { module, definition: own };
    let current = module;
    for (let hops = 0; hops < maxHops; hops++) {
      const imported = current.syntax.imports.get(name);
      const next = imported === undefined ? undefined : this.#modules.find(imported.module);
      if (next === undefined || next === current) return undefined;
      const definition = next[space].get(name);
      if (definition !== undefined && definition !== asking) return { module: next, definition };
      current = next;
    }
    return undefined;
  }

  /**
   * A name that is neither defined nor imported, which is reported: in the modules that others of its names are imported from,
   * otherwise in any module of the set.
   */
  findAnywhere(module: LoadedModule, name: string, space: NameSpace, at: number): Found | undefined {
    const nearby = this.#findNearby(module, name, space);
    const other = nearby ?? this.#modules.findDefining(name, space, this.#unknownNames(module));
    if (other === undefined || other === module) return undefined;
    const message = `${name} is not imported. The definition of ${other.name} is used.`;
    module.syntax.source.report('warning', 'missing-import', message, at);
    return { module: other, definition: other[space].get(name)! };
  }

  /** All that the module names, and neither defines nor imports. */
  #unknownNames(module: LoadedModule): ReadonlySet<string> {
    const known = this.#unknown.get(module);
    if (known !== undefined) return known;
    const names = new Set<string>();
    for (const { value, syntax } of module.syntax.definitions) {
      const parent = value?.parent;
      if (parent !== undefined && !wellKnownOids.has(parent) && !this.isNear(module, parent, 'values'))
        names.add(parent);
      const type = syntax?.form === 'named' ? syntax.name : undefined;
      if (type === undefined || baseTypes.has(type) || wellKnownTypes.has(type)) continue;
      if (!this.isNear(module, type, 'types')) names.add(type);
    }
    this.#unknown.set(module, names);
    return names;
  }

  /** Whether the module defines or imports the name, or a module has it that others of its names are imported from. */
  isNear(module: LoadedModule, name: string, space: NameSpace): boolean {
    return (
      this.find(module, name, space) !== undefined || this.#findNearby(module, name, space) !== undefined
    );
  }

  #findNearby(module: LoadedModule, name: string, space: NameSpace): LoadedModule | undefined {
    let nearby = this.#nearby.get(module);
    if (nearby === undefined) {
      const from = new Set([...module.syntax.imports.values()].map((each) => each.module));
      nearby = [...from].flatMap((each) =>
        languageModules.has(each) ? [] : (this.#modules.find(each) ?? []),
      );
      this.#nearby.set(module, nearby);
    }
    return nearby.find((other) => other[space].has(name));
  }

  /** Reports the modules and names of IMPORTS that do not exist. */
  checkImports(module: LoadedModule): void {
    const { source, imports } = module.syntax;
    const missing = new Set<string>();
    for (const [name, { module: from, start }] of imports) {
      if (languageModules.has(from) || missing.has(from)) continue;
      const other = this.#modules.find(from);
      if (other === undefined) {
        missing.add(from);
        source.report('warning', 'unknown-module', `The module ${from} is in none of the files.`, start);
      } else if (other === module) {
        source.report('warning', 'import-circle', `The module imports ${name} from itself.`, start);
      } else if (!isDefined(other, name) && !other.syntax.imports.has(name)) {
        source.report('warning', 'unknown-import', `The module ${from} does not define ${name}.`, start);
      }
    }
  }
}

function isDefined(module: LoadedModule, name: string): boolean {
  // Macros such as OBJECT-TYPE are part of the language, whichever module they come from.
  return module.values.has(name) || module.types.has(name) || /^[A-Z]+-[A-Z-]+$/.test(name);
}
