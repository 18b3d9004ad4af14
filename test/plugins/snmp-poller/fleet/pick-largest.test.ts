import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { pickLargest } from '../../../../plugins/snmp-poller/fleet/pick-largest.ts';

it('picks the items that a sort would put first', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 30 }), (values, count) => {
      const sorted = values.toSorted((a, b) => b - a).slice(0, count);
      assert.deepEqual(
        pickLargest(values, count, (value) => value),
        sorted,
      );
    }),
  );
});
