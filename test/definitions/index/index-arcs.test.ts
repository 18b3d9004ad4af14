import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isImplied, isInteger, splitIndex } from '../../../src/definitions/index/index-arcs.ts';
import { type IndexType, type IndexValue, indexTypes } from '../../../src/definitions/index/index-part.ts';

const arc = fc.integer({ min: 0, max: 0xffffffff });
const octet = fc.integer({ min: 0, max: 255 });

function valueFor(type: IndexType): fc.Arbitrary<IndexValue> {
  if (isInteger(type)) return arc;
  if (type === 'IpAddress') return fc.array(octet, { minLength: 4, maxLength: 4 });
  if (type === 'MacAddress') return fc.array(octet, { minLength: 6, maxLength: 6 });
  return fc.array(type.endsWith('ObjectIdentifier') ? arc : octet, { maxLength: 12 });
}

/** Any INDEX clause that can be split: implied parts are last. */
const clause = fc
  .tuple(
    fc.array(fc.constantFrom(...indexTypes.filter((type) => !isImplied(type))), { maxLength: 5 }),
    fc.option(fc.constantFrom<IndexType>('ImplicitOctetString', 'ImplicitObjectIdentifier'), {
      nil: undefined,
    }),
  )
  .map(([types, last]) => (last === undefined ? types : [...types, last]));

const lengthPrefixed: ReadonlySet<IndexType> = new Set(['OctetString', 'ObjectIdentifier', 'Opaque']);

/** The instance that `splitIndex` should split into `values`. */
function joinIndex(types: readonly IndexType[], values: readonly IndexValue[]): number[] {
  return types.flatMap((type, position) => {
    const value = values[position] ?? [];
    if (typeof value === 'number') return [value];
    return lengthPrefixed.has(type) ? [value.length, ...value] : value;
  });
}

describe('splitting an index', () => {
  it('returns the values that were joined, for every type', () => {
    fc.assert(
      fc.property(
        clause.chain((types) => fc.tuple(fc.constant(types), fc.tuple(...types.map(valueFor)))),
        ([types, values]) => deepEqual(splitIndex(types, joinIndex(types, values)), values),
      ),
      { numRuns: 500 },
    );
  });

  it('splits any arcs into values that join to the same arcs, or returns undefined', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...indexTypes), { maxLength: 4 }),
        fc.array(arc),
        (types, arcs) => {
          const values = splitIndex(types, arcs);
          if (values !== undefined) deepEqual(joinIndex(types, values), arcs);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reads the instances of well-known tables', () => {
    deepEqual(splitIndex(['Integer', 'IpAddress'], [3, 10, 0, 0, 1]), [3, [10, 0, 0, 1]]);
    deepEqual(splitIndex(['Unsigned32', 'OctetString'], [1, 4, 192, 0, 2, 1]), [1, [192, 0, 2, 1]]);
    deepEqual(splitIndex(['MacAddress'], [0, 27, 33, 171, 52, 205]), [[0, 27, 33, 171, 52, 205]]);
    deepEqual(splitIndex(['ImplicitOctetString'], [101, 116, 104]), [[101, 116, 104]]);
    deepEqual(splitIndex(['ObjectIdentifier', 'Integer32'], [3, 1, 3, 6, 9]), [[1, 3, 6], 9]);
    deepEqual(splitIndex(['Opaque'], [2, 1, 255]), [[1, 255]]);
    deepEqual(splitIndex(['ImplicitObjectIdentifier'], []), [[]]);
  });

  it('refuses too few arcs, too many arcs, and arcs that are not octets', () => {
    for (const [types, arcs] of [
      [['Integer'], []],
      [['Integer'], [1, 2]],
      [['IpAddress'], [10, 0, 0]],
      [['IpAddress'], [10, 0, 0, 256]],
      [['OctetString'], [3, 1, 2]],
      [['OctetString'], [4_294_967_295, 1]],
      [
        ['ImplicitOctetString', 'Integer'],
        [1, 2, 3],
      ],
    ] satisfies [IndexType[], number[]][]) {
      equal(splitIndex(types, arcs), undefined, `${types} ${arcs}`);
    }
  });
});
