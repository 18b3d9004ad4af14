import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDurationHistogram, Histogram, percentilesOf } from '../../src/timing/histogram.ts';

describe('Histogram', () => {
  it('counts a value that equals a bound in the bucket of that bound', () => {
    const histogram = new Histogram([1, 2, 5]);
    for (const value of [0, 1, 1.5, 2, 5, 6]) histogram.add(value);
    assert.deepEqual(histogram.cumulative(), [
      { bound: 1, count: 2 },
      { bound: 2, count: 4 },
      { bound: 5, count: 5 },
    ]);
    assert.equal(histogram.count, 6);
    assert.equal(histogram.sum, 15.5);
  });

  it('returns the bound that a share of all values did not exceed', () => {
    const histogram = new Histogram([1, 2, 5]);
    assert.equal(histogram.percentile(0.5), 0);
    for (const value of [1, 1, 2, 100]) histogram.add(value);
    assert.deepEqual(
      [0.5, 0.75, 1].map((share) => histogram.percentile(share)),
      [1, 2, 5],
    );
  });
});

describe('a duration histogram', () => {
  it('is right within a tenth, from an eighth of a millisecond to half an hour', () => {
    for (let ms = 0.125; ms < 1_800_000; ms *= 1.037) {
      const durations = createDurationHistogram();
      durations.add(ms);
      const { p50Ms, p99Ms } = percentilesOf(durations);
      assert.equal(p50Ms, p99Ms);
      assert.ok(p50Ms >= ms * 0.999_999 && p50Ms <= ms * 1.1, `${ms} ms became ${p50Ms} ms`);
    }
  });

  it('separates the median from the slowest hundredth', () => {
    const durations = createDurationHistogram();
    for (let i = 1; i <= 1_000; i++) durations.add(i);
    const { p50Ms, p99Ms } = percentilesOf(durations);
    assert.ok(p50Ms >= 500 && p50Ms <= 550, String(p50Ms));
    assert.ok(p99Ms >= 990 && p99Ms <= 1_089, String(p99Ms));
  });
});
