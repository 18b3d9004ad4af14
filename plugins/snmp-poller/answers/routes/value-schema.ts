import { Type } from '../../../../src/index.ts';
import type { ShownValue } from '../shown-row.ts';

/** A value in an answer. */
export const valueSchema = Type.Unsafe<ShownValue>({
  type: ['number', 'string', 'boolean', 'array'],
  items: { type: 'string' },
  description: 'a number beyond 2^53 is text; a list has the names of the bits that are set',
});
