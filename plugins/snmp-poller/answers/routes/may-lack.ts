import { type Static, type TSchema, Type } from '../../../../src/index.ts';

/** A property that an answer leaves out where there is nothing: it may be undefined before it is written. */
export function mayLack<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Unsafe<Static<Schema> | undefined>(schema));
}
