import type { MibNodeKind } from '../mib-node.ts';
import type { Definition } from '../syntax/syntax-tree.ts';
import type { LoadedModule } from './loaded-module.ts';
import { type Found, type ModuleSource, NameFinder } from './name-finder.ts';
import { OidResolver } from './oid-resolver.ts';
import { ResolvedNode } from './resolved-node.ts';
import { checkRow } from './row-checker.ts';
import { TypeResolver } from './type-resolver.ts';

/** Turns the definitions of a module into nodes. */
export class ModuleResolver {
  readonly #names: NameFinder;
  readonly #oids: OidResolver;
  readonly #types: TypeResolver;

  constructor(modules: ModuleSource) {
    this.#names = new NameFinder(modules);
    this.#oids = new OidResolver(this.#names);
    this.#types = new TypeResolver(this.#names);
  }

  /** In the order of the file. What has no OID is left out, and a problem says why. */
  resolve(module: LoadedModule): ResolvedNode[] {
    this.#names.checkImports(module);
    const nodes: ResolvedNode[] = [];
    for (const definition of module.syntax.definitions) {
      const kind = this.#kindOf(module, definition);
      if (kind === undefined) continue;
      const oid = kind === 'type' ? undefined : this.#oids.resolve({ module, definition });
      if (kind !== 'type' && oid === undefined) continue;
      if (kind === 'row') checkRow(module, definition, this.#names);
      const type = kind === 'table' || kind === 'row' ? undefined : this.#types.resolve(module, definition);
      nodes.push(new ResolvedNode(module, definition, kind, oid, type));
    }
    return nodes;
  }

  /** What a name means inside a module. */
  find(module: LoadedModule, name: string): Found | undefined {
    return this.#names.find(module, name, 'values');
  }

  #kindOf(module: LoadedModule, definition: Definition): MibNodeKind | undefined {
    const { form, syntax } = definition;
    switch (form) {
      case 'object':
        return this.#kindOfObject(module, definition);
      case 'trap':
        return 'notification';
      case 'type':
        return syntax!.form === 'sequence' || syntax!.form === 'table' ? undefined : 'type';
      case 'label':
        return undefined;
      default:
        return form;
    }
  }

  #kindOfObject(module: LoadedModule, definition: Definition): MibNodeKind {
    if (definition.syntax?.form === 'table') return 'table';
    if (this.#isRow(module, definition)) return 'row';
    const parent = this.#parentOf(module, definition);
    if (parent === undefined) return 'scalar';
    const { syntax, index } = parent.definition;
    // Where the row is missing, the table has its INDEX.
    const isColumn =
      syntax?.form === 'table' ? index !== undefined : this.#isRow(parent.module, parent.definition);
    return isColumn ? 'column' : 'scalar';
  }

  /**
   * An INDEX alone does not make a row: scalars have one by mistake. Neither does a SEQUENCE, which also groups scalars. Below a
   * table, a type that is nowhere is that of the row, and so is a missing one where there is an INDEX.
   */
  #isRow(module: LoadedModule, definition: Definition): boolean {
    const { form, syntax } = definition;
    if (form !== 'object' || syntax?.form === 'table') return false;
    const isIndexed = definition.index !== undefined || definition.augments !== undefined;
    const isSequence = syntax === undefined ? undefined : this.#types.isSequence(module, syntax);
    if (isSequence === false || (syntax === undefined && !isIndexed)) return false;
    if (isSequence && isIndexed) return true;
    return this.#parentOf(module, definition)?.definition.syntax?.form === 'table';
  }

  #parentOf(module: LoadedModule, definition: Definition) {
    const value = definition.value;
    if (value?.parent === undefined || value.numbers.length !== 1) return undefined;
    return this.#names.find(module, value.parent, 'values', definition);
  }
}
