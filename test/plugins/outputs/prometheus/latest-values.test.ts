import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LatestValues } from '../../../../plugins/outputs/prometheus/latest/latest-values.ts';
import { FamilyTable } from '../../../../src/output-kit/naming/family-table.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';

const minuteMs = 60_000;
const startMs = 1_700_000_000_000;

/** The poll of minute `minute`. */
const pollAt = (minute: number, parts: Parameters<typeof createTestBatch>[0] = {}) =>
  createTestBatch({
    slotMs: startMs + minute * minuteMs,
    timeMs: startMs + minute * minuteMs + 250,
    ...parts,
  });

function createLatest() {
  const latest = new LatestValues({
    families: new FamilyTable(''),
    stateSets: new Set(),
    staleIntervals: 3,
    timestamps: true,
  });
  const minutesAt = (minute: number) =>
    [...latest.fresh(startMs + minute * minuteMs)].flatMap(({ views }) =>
      [...views.values()].map(({ batch }) => (batch.slotMs - startMs) / minuteMs),
    );
  return { latest, minutesAt };
}

describe('the latest values', () => {
  it('are those of the newest poll, in any order of batches', () => {
    const { latest, minutesAt } = createLatest();
    for (const minute of [1, 3, 2]) latest.take(pollAt(minute));
    assert.deepEqual(minutesAt(3), [3]);
  });

  it('share between devices what is the same for all of them', () => {
    const { latest } = createLatest();
    for (let i = 1; i <= 10; i++)
      latest.take(pollAt(1, { device: { name: `d${i}`, ip: `192.0.2.${i}`, port: 161 } }));
    const views = [...latest.fresh(startMs)].map((device) => [...device.views.values()][0]!);
    assert.equal(new Set(views.map(({ labels }) => labels.names)).size, 1);
    assert.equal(new Set(views.map(({ textLabels }) => textLabels)).size, 1);
    const buffers = new Set(views.map(({ labels }) => labels.texts[0]!.buffer));
    assert.ok(buffers.size <= 2, `${buffers.size} buffers for ten short texts`);
  });

  it('end after three intervals without a poll', () => {
    const { latest, minutesAt } = createLatest();
    latest.take(pollAt(0));
    latest.take(pollAt(5));
    assert.deepEqual(minutesAt(20), [5]);
    assert.deepEqual(minutesAt(21), []);
    latest.take(pollAt(40));
    assert.deepEqual(minutesAt(41), [40]);
  });

  it('stay for a day while the interval of the record is not known', () => {
    const { latest, minutesAt } = createLatest();
    latest.take(pollAt(0));
    assert.deepEqual(minutesAt(23 * 60), [0]);
    assert.deepEqual(minutesAt(25 * 60), []);
  });

  it('end with their device, also for batches still in the queue', () => {
    const { latest, minutesAt } = createLatest();
    const { device } = pollAt(0);
    latest.take(pollAt(0));
    latest.end(device, startMs + 2 * minuteMs);
    latest.take(pollAt(1));
    assert.deepEqual(minutesAt(2), []);
    latest.take(pollAt(3));
    assert.deepEqual(minutesAt(3), [3]);
  });

  it('about the health of a device stay while it is down, and end when it is removed', () => {
    const { latest, minutesAt } = createLatest();
    const health = { record: 'waywiser::device', plan: 'waywiser::health' };
    const { device } = pollAt(0);
    latest.take(pollAt(0));
    latest.take(pollAt(1, health));
    latest.end(device, startMs + 5 * minuteMs, 'down');
    assert.deepEqual(minutesAt(5), [1]);
    latest.take(pollAt(2, health));
    assert.deepEqual(minutesAt(5), [2]);
    latest.end(device, startMs + 6 * minuteMs);
    latest.take(pollAt(5, health));
    assert.deepEqual(minutesAt(6), []);
  });

  it('of one device do not affect those of another port', () => {
    const { latest, minutesAt } = createLatest();
    const device = { name: 'other', ip: '192.0.2.1', port: 1161 };
    latest.take(pollAt(0));
    latest.take(pollAt(1, { device }));
    latest.end(device, startMs + minuteMs);
    assert.deepEqual(minutesAt(1), [0]);
  });

  it('of a plan replaced by newer definitions end, those of other fields stay', () => {
    const { latest, minutesAt } = createLatest();
    latest.take(pollAt(0, { plan: 'every-60s' }));
    latest.take(pollAt(0, { plan: 'every-300s', rows: [{ values: { other: 1 } }] }));
    latest.take(pollAt(1, { plan: 'every-30s', generation: 2 }));
    assert.deepEqual(minutesAt(1).sort(), [0, 1]);
  });

  it('of another context stay when newer definitions have reached only one context', () => {
    const { latest, minutesAt } = createLatest();
    const [first, further] = [{ context: 'vlan1' }, { context: 'vlan2' }];
    latest.take(pollAt(0, { plan: 'every-60s', tags: first }));
    latest.take(pollAt(0, { plan: 'every-60s vlan2', tags: further }));
    latest.take(pollAt(1, { plan: 'every-60s', tags: first, generation: 2 }));
    assert.deepEqual(minutesAt(1).sort(), [0, 1]);
    latest.take(pollAt(2, { plan: 'every-30s vlan2', tags: further, generation: 2 }));
    assert.deepEqual(minutesAt(2).sort(), [1, 2]);
  });

  it('share the labels of rows until the rows change', () => {
    const { latest } = createLatest();
    const labelsOf = () => [...latest.fresh(startMs)].flatMap(({ views }) => [...views.values()])[0]!.labels;
    const first = pollAt(0);
    latest.take(first);
    const before = labelsOf();
    latest.take({ ...pollAt(1), rows: first.rows, tags: first.tags });
    assert.equal(labelsOf(), before);
    latest.take(pollAt(2, { rows: [{ key: 'new', labels: { name: 'new' }, values: { value: 1 } }] }));
    assert.match(Buffer.from(labelsOf().texts[0]!).toString(), /name="new"/);
  });
});
