import { type Static, type TSchema, Type } from '../../../src/index.ts';

/** A list in an answer: nobody writes into it. */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Unsafe<readonly Static<Item>[]>(Type.Array(item));
}
