import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeHistories, type SentAnswer } from '../../../plugins/history/merge-answers.ts';

type Point = number | string;

/** An answer with one series: a number is a value, a text the reason of a gap. `aMinute`: one place is one minute. */
function answer(row: string, points: Readonly<Record<number, Point | undefined>>, stepMs = 0): SentAnswer {
  const times = Object.keys(points).map(Number);
  const gaps = times.flatMap((time) => {
    const why = points[time];
    return typeof why === 'string' ? [{ from: time, to: time + stepMs, why }] : [];
  });
  const values = times.map((time) => (typeof points[time] === 'number' ? (points[time] as number) : null));
  const name = { device: 'a', record: 'R', row, field: 'f', labels: {} };
  return { times, series: [{ ...name, values, gaps }] };
}

const polled = { device: 'a', aggregate: 'mean' } as const;
const merge = (
  answers: readonly SentAnswer[],
  query: Parameters<typeof mergeHistories>[1] = polled,
  isShared = false,
) => mergeHistories(answers, query, isShared);

describe('the history of several members', () => {
  it('is one line where a device moved, and moved back', () => {
    const { times, series } = merge([
      answer('x', { 10: 1, 20: 2, 30: 'unpolled', 60: 6 }),
      answer('x', { 35: 'unseeded', 40: 4, 50: 5 }),
    ]);
    assert.deepEqual(times, [10, 20, 35, 40, 50, 60]);
    assert.deepEqual(series[0]!.values, [1, 2, null, 4, 5, 6]);
    assert.deepEqual(series[0]!.gaps, [{ from: 35, to: 35, why: 'unseeded' }]);
  });

  it('keeps the gaps in which no member polled, with the reason that one of them knows', () => {
    const { times, series } = merge([
      answer('x', { 10: 1, 20: 'down', 30: 'down', 50: 5, 60: 'unpolled', 90: 9 }),
      answer('x', { 5: 0, 40: 4 }),
    ]);
    assert.deepEqual(times, [5, 10, 20, 30, 40, 50, 60, 90]);
    assert.deepEqual(series[0]!.gaps, [
      { from: 20, to: 30, why: 'down' },
      { from: 60, to: 60, why: 'unpolled' },
    ]);
  });

  it('joins the steps of both, and takes values that are shared once', () => {
    const one = answer('x', { 0: 2, 1000: 4, 2000: 'unpolled', 3000: 'unpolled' }, 1000);
    const two = answer('x', { 0: 'unpolled', 1000: 6, 2000: 8, 3000: 'down' }, 1000);
    const join = (aggregate: 'mean' | 'min' | 'max' | 'count', isShared = false) =>
      merge([one, two], { ...polled, step: 1, aggregate }, isShared).series[0]!.values;
    assert.deepEqual(join('mean'), [2, 5, 8, null]);
    assert.deepEqual(join('min'), [2, 4, 8, null]);
    assert.deepEqual(join('max'), [2, 6, 8, null]);
    assert.deepEqual(join('count'), [2, 10, 8, null]);
    assert.deepEqual(
      merge([one, one], { ...polled, step: 1, aggregate: 'count' }, true).series[0]!.values.slice(0, 2),
      [2, 4],
    );
    assert.deepEqual(merge([one, two], { ...polled, step: 1, aggregate: 'mean' }).series[0]!.gaps, [
      { from: 3000, to: 4000, why: 'down' },
    ]);
  });

  it('keeps series apart, and times at which another series was polled are no gaps', () => {
    const { times, series } = merge([answer('x', { 10: 1, 30: 3 }), answer('y', { 20: 2 })]);
    assert.deepEqual(times, [10, 20, 30]);
    assert.deepEqual(
      series.map(({ row, values, gaps }) => [row, values, gaps]),
      [
        ['x', [1, null, 3], []],
        ['y', [null, 2, null], []],
      ],
    );
  });
});
