import type { Static, TOptional, TSchema } from '../../typebox.ts';
import type { DefinitionRule } from '../definition-rules.ts';

/**
 * What a keyword's value changes. `polling`: what is asked of devices or what their records hold, so that the value is part
 * of the hash. `linking`: the same, and the value names other definitions, which the linker looks up. `display`: only what
 * people see.
 */
type Effect = 'polling' | 'linking' | 'display';

/** All that is known about one key of a definition; schema, compiler, hashes and generated pages follow from it. */
export interface Keyword<
  Schema extends TSchema,
  Property extends string,
  Affects extends Effect,
  Part,
  Context,
> {
  /** Optional where the key may be left out. Editors and docs/definition-keys.md show its description. */
  readonly schema: Schema;
  readonly affects: Affects;
  /** The property of the compiled definition that `compile` makes. */
  readonly property: Property;
  /** Spellings that mean the same give equal results. */
  readonly compile: (value: ValueOf<Schema>, context: Context) => Part;
}

/** What a definition gives for a key; undefined where an optional one is left out. */
type ValueOf<Schema extends TSchema> =
  | DeepReadonly<Static<Schema>>
  | (Schema extends TOptional<TSchema> ? undefined : never);

export type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** Reports what is wrong with a definition, at a path inside it. */
export type ReportKeywordProblem = (
  rule: DefinitionRule,
  path: readonly (string | number)[],
  message: string,
) => void;

/** Makes the keywords of one table; `Context` is what each `compile` gets beside the value. */
export const keywordWith =
  <Context>() =>
  <Schema extends TSchema, const Property extends string, const Affects extends Effect, Part>(
    keyword: Keyword<Schema, Property, Affects, Part, Context>,
  ): Keyword<Schema, Property, Affects, Part, Context> =>
    keyword;

type Keywords<Context> = Readonly<
  Record<string, Omit<Keyword<TSchema, string, Effect, unknown, Context>, 'compile'> & Compiles<Context>>
>;

interface Compiles<Context> {
  readonly compile: (value: never, context: Context) => unknown;
}

/** By key, for `Type.Object`. */
export function schemasOf<Table extends Keywords<never>>(
  table: Table,
): { -readonly [Key in keyof Table]: Table[Key]['schema'] } {
  return Object.fromEntries(Object.entries(table).map(([key, { schema }]) => [key, schema])) as never;
}

/** What the keywords of a table compile to. */
export type PartsOf<Table extends Keywords<never>> = {
  readonly [Key in keyof Table as Table[Key]['property']]: ReturnType<Table[Key]['compile']>;
};

/** The properties that the linker has to make from what they name. */
export type LinkedProperty<Table extends Keywords<never>> = {
  readonly [Key in keyof Table]: Table[Key]['affects'] extends 'linking' ? Table[Key]['property'] : never;
}[keyof Table];

export function compileKeywords<Context, Table extends Keywords<Context>>(
  table: Table,
  raw: Readonly<Record<string, unknown>>,
  context: Context,
): PartsOf<Table> {
  const parts: Record<string, unknown> = {};
  for (const key in table) {
    const { property, compile } = table[key]!;
    parts[property] = compile(raw[key] as never, context);
  }
  return parts as PartsOf<Table>;
}

/**
 * The parts that belong to a hash: those of `first` in this order, given or not, then what other keywords give, by name. A
 * new keyword therefore changes no hash of a definition without it, and no device is discovered again because of it.
 * `elsewhere` are parts that the caller hashes in a form of its own.
 */
export function hashedParts<Table extends Keywords<never>>(
  table: Table,
  first: readonly (keyof PartsOf<Table>)[],
  elsewhere: readonly (keyof PartsOf<Table>)[] = [],
): (parts: PartsOf<Table>) => unknown[] {
  const isKnown = new Set<PropertyKey>([...first, ...elsewhere]);
  const others = Object.values(table)
    .filter(({ property, affects }) => affects !== 'display' && !isKnown.has(property))
    .map(({ property }) => property as keyof PartsOf<Table>);
  return (parts) => [
    ...first.map((property) => parts[property]),
    ...others.flatMap((property) => (parts[property] === undefined ? [] : [[property, parts[property]]])),
  ];
}
