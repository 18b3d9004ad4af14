import { type SchemaOptions, type TLiteral, type TUnion, Type } from '../../typebox.ts';

/** Any text with at least one character. */
export const Text = (options: SchemaOptions) => Type.String({ minLength: 1, maxLength: 1_024, ...options });

/** An OID in decimal, with or without a dot in front. */
export const OidText = (options: SchemaOptions) =>
  Type.String({ pattern: '^\\.?\\d+(\\.\\d+)*$', maxLength: 1_408, ...options });

/** A name that the author of the file chose; not one that JavaScript objects inherit, and not a YAML merge key. */
export const Key = Type.String({
  pattern:
    '^(?!(?:__\\w+__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf|<<)$).+$',
  maxLength: 1_024,
});

/** A whole number of seconds; a week at most. */
export const Seconds = (options: SchemaOptions) => Type.Integer({ minimum: 1, maximum: 604_800, ...options });

/** One of a few words. */
export const OneOf = <const Words extends readonly (string | number)[]>(
  words: Words,
  options: SchemaOptions,
): OneOfWords<Words> =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    options,
  ) as unknown as OneOfWords<Words>;

type OneOfWords<Words extends readonly (string | number)[]> = TUnion<{
  -readonly [Index in keyof Words]: Words[Index] extends string | number ? TLiteral<Words[Index]> : never;
}>;
