import { type TLiteral, type TSchemaOptions, type TUnion, Type } from './typebox.ts';

/** Any text with at least one character. */
export const Text = (options: TSchemaOptions) => Type.String({ minLength: 1, maxLength: 65_536, ...options });

/** An OID in decimal, with or without a dot in front. */
export const OidText = (options: TSchemaOptions) =>
  Type.String({ pattern: '^\\.?\\d+(\\.\\d+)*$', maxLength: 1_408, ...options });

/** A whole number of seconds; a week at most. */
export const Seconds = (options: TSchemaOptions) =>
  Type.Integer({ minimum: 1, maximum: 604_800, ...options });

/** One of a few words. */
export const OneOf = <const Words extends readonly (string | number)[]>(
  words: Words,
  options: TSchemaOptions,
): OneOfWords<Words> =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    options,
  ) as unknown as OneOfWords<Words>;

type OneOfWords<Words extends readonly (string | number)[]> = TUnion<{
  -readonly [Index in keyof Words]: Words[Index] extends string | number ? TLiteral<Words[Index]> : never;
}>;
