import type { Definition, NamedNumbers, RangeSyntax, TypeSyntax } from '../syntax/syntax-tree.ts';
import { type BaseType, baseTypes, taggedTypes } from './base-types.ts';
import type { LoadedModule } from './loaded-module.ts';
import type { Found, NameFinder } from './name-finder.ts';
import { wellKnownTypes } from './well-known.ts';

/** A type down to what SNMP carries, with everything that the types in between add. */
export interface ResolvedType {
  readonly base: BaseType;
  readonly labels: NamedNumbers | undefined;
  readonly ranges: readonly RangeSyntax[] | undefined;
  readonly hint: string | undefined;
}

/** Textual conventions on top of each other; the standard allows none, and vendors use three. */
const maxDepth = 128;

/** The types of objects and of type definitions. */
export class TypeResolver {
  readonly #names: NameFinder;
  readonly #types = new Map<Definition, ResolvedType | undefined>();
  readonly #plain = new Map<BaseType, ResolvedType>();

  constructor(names: NameFinder) {
    this.#names = names;
  }

  /** The type of an object; undefined for tables, rows, and after an error, which is reported. */
  resolve(module: LoadedModule, definition: Definition): ResolvedType | undefined {
    return this.#resolveDefinition(module, definition, 0);
  }

  /** Whether the type is a SEQUENCE, as rows have it; undefined when nothing defines it. */
  isSequence(module: LoadedModule, syntax: TypeSyntax): boolean | undefined {
    if (syntax.form !== 'named') return syntax.form === 'sequence';
    if (baseTypes.has(syntax.name)) return false;
    const found = this.#names.find(module, syntax.name, 'types');
    if (found !== undefined) return found.definition.syntax?.form === 'sequence';
    return wellKnownTypes.has(syntax.name) ? false : undefined;
  }

  #resolveDefinition(module: LoadedModule, definition: Definition, depth: number): ResolvedType | undefined {
    if (this.#types.has(definition)) return this.#types.get(definition);
    const isType = definition.form === 'type';
    // What a circle finds on its way round.
    if (isType) this.#types.set(definition, undefined);
    const parent = this.#resolveSyntax(module, definition, depth);
    const type = parent === undefined ? undefined : refine(parent, definition);
    // Objects are asked for once; types by every object that has them.
    if (isType) this.#types.set(definition, type);
    return type;
  }

  #resolveSyntax(module: LoadedModule, definition: Definition, depth: number): ResolvedType | undefined {
    const { source } = module.syntax;
    const syntax = definition.syntax;
    if (syntax === undefined || syntax.form !== 'named') return undefined;
    const { name, start, tag } = syntax;
    const tagged = tag === undefined ? undefined : taggedTypes.get(tag);
    if (tagged !== undefined) return this.#plainType(tagged);
    const asking = definition.form === 'type' ? definition : undefined;
    // Their names are reserved (RFC 2578, 3.7): a module that defines one again means the same.
    const base = baseTypes.get(name);
    if (base !== undefined) return this.#plainType(base);
    const found = this.#names.find(module, name, 'types', asking);
    const known = found === undefined ? wellKnownTypes.get(name) : undefined;
    if (known !== undefined) return { labels: undefined, ranges: undefined, hint: undefined, ...known };
    const target = found ?? this.#names.findAnywhere(module, name, 'types', start);
    if (target === undefined) {
      source.report(
        'error',
        'unknown-type',
        `Nothing defines the type ${name} of ${definition.name}.`,
        start,
      );
      return undefined;
    }
    return this.#follow(module, definition, target, depth);
  }

  #follow(
    module: LoadedModule,
    definition: Definition,
    target: Found,
    depth: number,
  ): ResolvedType | undefined {
    const { source } = module.syntax;
    const { name, start } = definition.syntax!;
    if (depth === maxDepth) {
      const message = `The type ${name} is made of more than ${maxDepth} types.`;
      source.report('error', 'type-too-deep', message, start);
      return undefined;
    }
    const isRow = target.definition.syntax?.form !== 'named';
    const type = this.#resolveDefinition(target.module, target.definition, depth + 1);
    if (type === undefined && !isRow) {
      const message = `The type ${name} of ${definition.name} leads to no type of SNMP.`;
      source.report('error', 'type-circle', message, start);
    }
    return type;
  }

  #plainType(base: BaseType): ResolvedType {
    let type = this.#plain.get(base);
    if (type === undefined) {
      type = { base, labels: undefined, ranges: undefined, hint: undefined };
      this.#plain.set(base, type);
    }
    return type;
  }
}

/** What the definition itself says wins over what its type says. */
function refine(parent: ResolvedType, { syntax, hint, form }: Definition): ResolvedType {
  const { labels, ranges } = syntax!;
  const ownHint = form === 'type' ? hint : undefined;
  if (labels === undefined && ranges === undefined && ownHint === undefined) return parent;
  return {
    base: parent.base,
    labels: labels ?? parent.labels,
    ranges: ranges ?? parent.ranges,
    hint: ownHint ?? parent.hint,
  };
}
