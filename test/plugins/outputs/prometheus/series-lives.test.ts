import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SeriesLives } from '../../../../plugins/outputs/prometheus/lives/series-lives.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';

const device = { name: 'router-1', ip: '192.0.2.1', port: 161 };
const pollAt = (timeMs: number) => createTestBatch({ device, slotMs: timeMs, timeMs });

describe('the lives of series', () => {
  it('end too when their device was removed while its first poll waited in the queue', () => {
    const lives = new SeriesLives(() => false);
    lives.end(device, 1_500);
    assert.equal(lives.follow([pollAt(1_000)]).length, 1);
    assert.deepEqual(
      lives.takeEnds().map(({ batch, origin }) => [batch.ends, batch.timeMs, origin]),
      [[true, 1_500, undefined]],
    );
    assert.deepEqual(lives.takeEnds(), []);
  });

  it('end once, however often it is told', () => {
    const lives = new SeriesLives(() => false);
    lives.follow([pollAt(1_000)]);
    for (const atMs of [1_500, 1_600]) lives.end(device, atMs);
    assert.equal(lives.takeEnds().length, 1);
  });
});
