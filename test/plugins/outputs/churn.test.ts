import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PointRenderer } from '../../../plugins/outputs/influx/lines/point-renderer.ts';
import { CounterTimes } from '../../../plugins/outputs/otlp/counters/counter-times.ts';
import { LatestValues } from '../../../plugins/outputs/prometheus/latest/latest-values.ts';
import { SeriesWalk } from '../../../plugins/outputs/prometheus-remote-write/series/series-walk.ts';
import { WriteRequest1 } from '../../../plugins/outputs/prometheus-remote-write/series/write-request-1.ts';
import type { Batch } from '../../../src/index.ts';
import { FamilyTable } from '../../../src/output-kit/naming/family-table.ts';
import { SeriesTracker } from '../../../src/output-kit/series/series-tracker.ts';
import { createTestBatch } from '../../../src/testing/index.ts';

const hourMs = 3_600_000;
const tracked = (batch: Batch) => ({ ...batch, ends: false });

type TakeBatch = (batch: Batch) => unknown;

/** What outputs remember per device, each with its own clock. */
const memories: Readonly<Record<string, (now: () => number) => TakeBatch>> = {
  'the tags of points (influx)': (now) => {
    const form = { counters: 'integer', rawLineEnds: false, unitsPerMs: 1 } as const;
    const renderer = new PointRenderer(form, now);
    return (batch) => renderer.render([batch]);
  },
  'the labels of series (prometheus-remote-write)': (now) => {
    const walk = new SeriesWalk({ families: new FamilyTable('snmp_'), stateSets: new Set() }, now);
    return (batch) => walk.walk([tracked(batch)], new WriteRequest1(new WeakMap()));
  },
  'the starts of counters (otlp)': (now) => {
    const times = new CounterTimes('cumulative', now);
    return (batch) => times.follow(tracked(batch));
  },
  'the tracked series': (now) => {
    const tracker = new SeriesTracker(() => false, now);
    return (batch) => tracker.track([batch]);
  },
};

describe('memory of outputs when devices come and go', () => {
  for (const [memory, open] of Object.entries(memories)) {
    it(`is released for devices that are gone: ${memory}`, async () => {
      let nowMs = 0;
      const take = open(() => nowMs);
      const staying = createTestBatch();
      const gone = takeMany(take, staying.rows);
      assert.ok(gone.some((ref) => ref.deref() !== undefined));
      for (let step = 0; step < 12; step++) {
        nowMs += 6 * hourMs;
        take(staying);
      }
      await collectGarbage();
      assert.equal(gone.filter((ref) => ref.deref() !== undefined).length, 0);
    });
  }

  it('is released for devices that are gone: the latest values of an output that is not scraped', async () => {
    const latest = new LatestValues({
      families: new FamilyTable('snmp_'),
      stateSets: new Set(),
      staleIntervals: 3,
      timestamps: true,
    });
    const { timeMs } = createTestBatch();
    const gone = endMany(latest, timeMs);
    latest.end({ ip: '192.0.2.99', port: 161 }, timeMs + hourMs);
    await collectGarbage();
    assert.equal(gone.filter((ref) => ref.deref() !== undefined).length, 0);
  });
});

function endMany(latest: LatestValues, timeMs: number): WeakRef<object>[] {
  for (let i = 0; i < 20; i++)
    latest.take(createTestBatch({ device: { name: 'router', ip: `192.0.2.${i}`, port: 161 } }));
  const refs = [...latest.fresh(timeMs)].map((device) => new WeakRef(device));
  for (let i = 0; i < 20; i++) latest.end({ ip: `192.0.2.${i}`, port: 161 }, timeMs);
  assert.equal(refs.length, 20);
  return refs;
}

/** A separate function, so that no variable keeps a batch. Some batches share their rows with one that stays. */
function takeMany(take: TakeBatch, rows: Batch['rows']): WeakRef<object>[] {
  return Array.from({ length: 20 }, (_, i) => {
    const device = { name: `router-${i}`, ip: `192.0.2.${i}`, port: 16_100 };
    const own = createTestBatch({ device, rows: [{ values: { c: 1n } }] });
    const batch = i % 2 === 0 ? { ...own, rows } : own;
    take(batch);
    return [new WeakRef(batch.tags), ...(batch.rows === rows ? [] : [new WeakRef(batch.rows.keys)])];
  }).flat();
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let turn = 0; turn < 4; turn++) {
    collect();
    await new Promise(setImmediate);
  }
}
