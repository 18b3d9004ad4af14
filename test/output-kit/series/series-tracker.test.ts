import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SeriesTracker } from '../../../src/output-kit/series/series-tracker.ts';
import { createTestBatch } from '../../../src/testing/index.ts';

const device = { name: 'router-1', ip: '192.0.2.1', port: 161 };
const pollAt = (timeMs: number) => createTestBatch({ device, slotMs: timeMs, timeMs });

describe('SeriesTracker', () => {
  it('ends series of a device that was removed while its first poll waited in the queue', () => {
    const tracker = new SeriesTracker(() => false);
    tracker.end(device, 1_500);
    assert.equal(tracker.track([pollAt(1_000)]).length, 1);
    assert.deepEqual(
      tracker.takeEnds().map(({ batch, origin }) => [batch.ends, batch.timeMs, origin]),
      [[true, 1_500, undefined]],
    );
    assert.deepEqual(tracker.takeEnds(), []);
  });

  it('ends series once when a device goes down several times', () => {
    const tracker = new SeriesTracker(() => false);
    tracker.track([pollAt(1_000)]);
    for (const atMs of [1_500, 1_600]) tracker.end(device, atMs, 'down');
    assert.equal(tracker.takeEnds().length, 1);
  });

  it('ends series about the health of a device when it is removed, not when it goes down', () => {
    const tracker = new SeriesTracker(() => false);
    const endedRecords = () => tracker.takeEnds().map(({ batch }) => batch.record);
    tracker.track([pollAt(1_000), { ...pollAt(1_000), record: 'waywiser::device' }]);
    tracker.end(device, 1_500, 'down');
    assert.deepEqual(endedRecords(), ['TEST-MIB::testEntry']);
    tracker.end(device, 1_600);
    assert.deepEqual(endedRecords(), ['waywiser::device']);
  });
});
