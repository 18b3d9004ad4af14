/** The one door to TypeBox: everything that builds or checks a schema imports it from here. */
export { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
export { Value, ValueErrorType } from '@sinclair/typebox/value';
