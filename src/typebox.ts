/** The one door to TypeBox: everything that builds or checks a schema imports it from here. */
export {
  FormatRegistry,
  Kind,
  type SchemaOptions,
  type Static,
  type TLiteral,
  type TObject,
  type TOptional,
  type TSchema,
  type TUnion,
  Type,
} from '@sinclair/typebox';
export { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
export { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value';
