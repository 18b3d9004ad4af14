/** The one place where the definitions take their schema library from. */
export type { SchemaOptions as TSchemaOptions, Static, TLiteral, TSchema, TUnion } from '@sinclair/typebox';
export { Type } from '@sinclair/typebox';
