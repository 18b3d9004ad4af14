import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type CounterValues,
  createSubtraction,
  subtractComplete,
} from '../../../../plugins/snmp-poller/counter/subtract-counters.ts';
import { berTag } from '../../../../src/snmp/index.ts';

const word = fc.oneof(
  fc.constantFrom(0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff),
  fc.integer({ min: 0, max: 0xffff_ffff }),
);
const tags = fc.constantFrom(berTag.counter32, berTag.counter64, berTag.gauge32, berTag.noSuchInstance, 0);
const usualOrAny = (tag: number) => fc.oneof({ weight: 9, arbitrary: fc.constant(tag) }, tags);

const twoPolls = fc
  .tuple(tags, fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 5 }))
  .chain(([tag, firstSlot, rows]) => {
    const slots = firstSlot + rows;
    const poll = fc
      .tuple(
        fc.array(word, { minLength: 2 * slots, maxLength: 2 * slots }),
        fc.array(usualOrAny(tag), { minLength: slots, maxLength: slots }),
      )
      .map(
        ([words, status]): CounterValues => ({
          // The decoder leaves the high words of 32-bit counters at 0.
          words: Uint32Array.from(words, (value, i) =>
            i % 2 === 1 && status[i >> 1] !== berTag.counter64 ? 0 : value,
          ),
          status: Uint8Array.from(status),
        }),
      );
    return fc.tuple(poll, poll, fc.constant(firstSlot), fc.constant(rows));
  });

describe('counters of a complete column', () => {
  it('are subtracted with the same result as row by row, or not at all', () => {
    const subtract = createSubtraction();
    let quick = 0;
    fc.assert(
      fc.property(twoPolls, fc.constantFrom(1, 8), ([before, now, firstSlot, rows], times) => {
        const out = new Float64Array(rows);
        if (!subtractComplete(now, before, firstSlot, { times, over: 1 }, out)) return;
        quick++;
        const expected = new Float64Array(rows);
        const gaps = new Uint8Array(rows);
        const place = { firstSlot, slots: undefined };
        subtract(now, place, before, place, expected, gaps);
        assert.deepEqual([...gaps], new Array(rows).fill(0));
        assert.deepEqual(
          out,
          expected.map((value) => value * times),
        );
      }),
      { numRuns: 2_000 },
    );
    assert.ok(quick > 50, `only ${quick} columns were subtracted`);
  });

  it('are not subtracted when there are resets, missing rows or mixed types', () => {
    const poll = (status: number[], ...low: number[]): CounterValues => ({
      words: Uint32Array.from(low.flatMap((each) => [each, 0])),
      status: Uint8Array.from(status),
    });
    const { counter32, counter64, noSuchInstance } = berTag;
    const narrow = [counter32, counter32];
    const wide = [counter64, counter64];
    const isDone = (before: CounterValues, now: CounterValues) =>
      subtractComplete(now, before, 0, { times: 1, over: 1 }, new Float64Array(2));
    assert.equal(isDone(poll(narrow, 5, 0xffff_fff0), poll(narrow, 9, 3)), true);
    assert.equal(isDone(poll(wide, 5, 7), poll(wide, 9, 3)), false);
    assert.equal(isDone(poll(narrow, 5, 0x7000_0000), poll(narrow, 9, 3)), false);
    assert.equal(isDone(poll(narrow, 5, 7), poll([counter32, noSuchInstance], 9, 0)), false);
    assert.equal(isDone(poll(narrow, 5, 7), poll(wide, 9, 8)), false);
  });
});
