import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSubtraction } from '../../../../plugins/snmp-poller/counter/subtract-counters.ts';
import { rawTag } from '../../../../src/definitions/index.ts';
import { gapReasons } from '../../../../src/index.ts';
import { slotStatus } from '../../../../src/snmp/index.ts';

const subtract = createSubtraction();
const counter64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const counter32 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
const near = { firstSlot: 0, slots: undefined };

function valuesOf(tag: number, ...values: readonly bigint[]) {
  return {
    status: Uint8Array.from(values, () => tag),
    words: Uint32Array.from(values.flatMap((value) => [Number(value & 0xffffffffn), Number(value >> 32n)])),
  };
}

function compare(tag: number, before: bigint, now: bigint, tagBefore = tag): number | string {
  const [out, gaps] = [new Float64Array(1), new Uint8Array(1)];
  subtract(valuesOf(tag, now), near, valuesOf(tagBefore, before), near, out, gaps);
  return gaps[0] === 0 ? out[0]! : gapReasons[gaps[0]!]!;
}

describe('the difference of two counter values', () => {
  for (const [name, tag, bits, counter] of [
    ['32', rawTag.counter32, 32n, counter32],
    ['64', rawTag.counter64, 64n, counter64],
  ] as const) {
    const range = 2n ** bits;

    it(`of ${name} bits is exact up to 2^53, also after a wrap`, () => {
      const step = fc.bigInt({ min: 0n, max: bits === 32n ? 2n ** 31n - 1n : 2n ** 53n });
      fc.assert(
        fc.property(counter, step, (before, difference) => {
          assert.equal(compare(tag, before, (before + difference) % range), Number(difference));
        }),
      );
    });

    it(`of ${name} bits is a reset when a wrap would mean half of the range or more`, () => {
      fc.assert(
        fc.property(counter, counter, (before, now) => {
          const isReset = now < before && now + range - before >= range / 2n;
          const isForwards = now >= before;
          const answer = compare(tag, before, now);
          if (isReset) assert.equal(answer, 'reset');
          else assert.equal(answer, Number(isForwards ? now - before : now + range - before));
        }),
      );
    });
  }

  it('of a number that never wraps is a reset when the number decreases', () => {
    assert.equal(compare(rawTag.integer, 7n, 3n), 'reset');
    assert.equal(compare(rawTag.integer, 3n, 7n), 4);
  });

  it('is missing when the type changed, such as from 32 to 64 bits', () => {
    assert.equal(compare(rawTag.counter64, 5n, 2n ** 40n, rawTag.counter32), 'unseeded');
  });

  it('is missing for the same reason as the value', () => {
    assert.equal(compare(slotStatus.timeout, 5n, 6n), 'timeout');
    assert.equal(compare(0x81, 5n, 6n), 'noSuchInstance');
    assert.equal(compare(rawTag.octetString, 5n, 6n), 'decode');
    assert.equal(compare(rawTag.counter32, 5n, 6n, slotStatus.timeout), 'unseeded');
  });
});
