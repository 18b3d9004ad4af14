import type { Definition, ModuleSyntax } from '../syntax/syntax-tree.ts';

/** The names of a module. OIDs and types have separate names: a type starts with a capital letter, or should. */
export class LoadedModule {
  readonly syntax: ModuleSyntax;
  /** The place of its file among the files: of two modules that define a name, the first has it. */
  readonly order: number;
  readonly values = new Map<string, Definition>();
  readonly types = new Map<string, Definition>();

  constructor(syntax: ModuleSyntax, order: number) {
    this.syntax = syntax;
    this.order = order;
    const labels: Definition[] = [];
    for (const definition of syntax.definitions) {
      if (definition.form === 'label') labels.push(definition);
      else this.#add(definition.form === 'type' ? this.types : this.values, definition);
    }
    // A name in the middle of an OID counts only where nothing else has it.
    for (const label of labels) if (!this.values.has(label.name)) this.values.set(label.name, label);
  }

  get name(): string {
    return this.syntax.name;
  }

  #add(names: Map<string, Definition>, definition: Definition): void {
    const { name, start } = definition;
    const first = names.get(name);
    if (first === undefined) {
      names.set(name, definition);
      return;
    }
    const { source } = this.syntax;
    const { line } = source.locate(first.start);
    const message = `${name} is defined a second time. Other definitions use the one of line ${line}.`;
    source.report('warning', 'duplicate-name', message, start);
  }
}
