import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BackOff } from '../../src/pipeline/back-off.ts';

describe('BackOff', () => {
  it('doubles up to its limit and restarts after a reset', () => {
    const backOff = new BackOff(100, 1_000, () => 1);
    assert.deepEqual(
      Array.from({ length: 6 }, () => backOff.next()),
      [100, 200, 400, 800, 1_000, 1_000],
    );
    backOff.reset();
    assert.equal(backOff.next(), 100);
  });

  it('returns pauses in the upper half of each step', () => {
    assert.equal(new BackOff(100, 1_000, () => 0).next(), 50);
    assert.equal(new BackOff(100, 1_000, () => 0.5).next(), 75);
  });

  it('stays finite after any number of failures', () => {
    const backOff = new BackOff(1, 30_000, () => 1);
    for (let i = 0; i < 5_000; i++) assert.ok(backOff.next() <= 30_000);
  });
});
