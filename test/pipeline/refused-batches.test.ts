import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Delivery } from '../../src/pipeline/delivery.ts';
import { PermanentError } from '../../src/pipeline/permanent-error.ts';
import { DropReport } from '../../src/pipeline/queue/drop-report.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { until } from '../support/until.ts';
import { openDelivery } from './support/open-delivery.ts';

function putMany(delivery: Delivery, count: number): void {
  for (let i = 1; i <= count; i++) delivery.put(createTestBatch({ sequence: i }));
}

describe('batches that an output refuses for good', () => {
  it('drops what a PermanentError refuses, goes on and says so', async () => {
    const { delivery, happened, lines } = openDelivery(
      ([batch]) => {
        if (batch?.sequence === 2) throw new PermanentError('never');
      },
      { group_batches: 1 },
    );
    putMany(delivery, 3);
    await until(() => delivery.counters.queued === 0);
    assert.deepEqual(delivery.counters, {
      accepted: 3,
      restored: 0,
      delivered: 2,
      dropped: 1,
      droppedBy: { full: 0, disk_full: 0, too_old: 0, damaged: 0, too_large: 0, refused: 1, stopped: 0 },
      refusedValues: 0,
      queued: 0,
      queuedBytes: 0,
      oldestMs: undefined,
      retries: 0,
    });
    assert.match(JSON.stringify(lines), /refused batches for good/);
    await delivery.drain();
    assert.deepEqual(happened, [
      ['output.dropped', { output: 'out', batches: 1, values: 0, why: 'the output refused them' }],
    ]);
  });

  it('drops only those that a PermanentError names, and keeps them where that is wanted', async () => {
    const kept: (readonly [string, readonly number[]])[] = [];
    const { delivery } = openDelivery(
      (group) => {
        throw new PermanentError('bad ones', { refused: group.filter(({ sequence }) => sequence % 2 === 0) });
      },
      {},
      undefined,
      (batches, why) => void kept.push([why, batches.map(({ sequence }) => sequence)]),
    );
    putMany(delivery, 5);
    await until(() => delivery.counters.queued === 0);
    assert.equal(delivery.counters.droppedBy.refused, 2);
    assert.equal(delivery.counters.dropped, 2);
    assert.equal(delivery.counters.delivered, 3);
    assert.deepEqual(kept, [['bad ones', [2, 4]]]);
    await delivery.drain();
  });

  it('knows the PermanentError of another copy of the package', async () => {
    const { delivery } = openDelivery(() => {
      throw Object.assign(new Error('never'), { name: 'PermanentError' });
    });
    putMany(delivery, 1);
    await until(() => delivery.counters.dropped === 1);
    await delivery.drain();
  });
});

describe('notices of drops', () => {
  it('are counted and not reported when they are lost themselves, wherever that is', async () => {
    const notice = createTestBatch({ record: 'waywiser::outputDropped' });
    for (const drop of ['oldest', 'newest'] as const) {
      const { delivery, happened } = openDelivery(() => new Promise(() => {}), {
        max_queued_batches: 2,
        drain_timeout_ms: 5,
        drop,
      });
      putMany(delivery, 1);
      await until(() => delivery.counters.queued === 1);
      for (let i = 0; i < 5; i++) delivery.put(notice);
      assert.equal(delivery.counters.droppedBy.full, 4);
      await delivery.drain();
      const full = happened.filter(([, event]) => (event as { why: string }).why === 'the queue is full');
      assert.deepEqual(full, []);
    }
  });

  it('do not fill the queues of others in a long outage, and lose no count', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let nowMs = 0;
    const told: number[] = [];
    const report = new DropReport(
      ({ batches }) => void told.push(batches),
      () => nowMs,
    );
    const passSeconds = (seconds: number, isDropping: boolean) => {
      for (let second = 0; second < seconds; second++) {
        if (isDropping) report.count(1, 'full');
        nowMs += 1_000;
        t.mock.timers.tick(1_000);
      }
    };
    passSeconds(3_600, true);
    assert.ok(told.length < 80, `${told.length} notices in an hour`);
    assert.deepEqual(told.slice(0, 3), [1, 1, 1]);
    passSeconds(300, false);
    assert.equal(
      told.reduce((sum, batches) => sum + batches),
      3_600,
    );
    const before = told.length;
    passSeconds(2, true);
    assert.equal(told.length, before + 2, 'another outage is told at once');
  });

  it('report the rest of what a group lost with them', async () => {
    const { delivery, happened } = openDelivery(() => {
      throw new PermanentError('never');
    });
    delivery.put(createTestBatch({ record: 'waywiser::outputDropped' }));
    putMany(delivery, 2);
    await until(() => delivery.counters.queued === 0);
    await delivery.drain();
    assert.equal(delivery.counters.droppedBy.refused, 3);
    assert.deepEqual(happened, [
      ['output.dropped', { output: 'out', batches: 2, values: 0, why: 'the output refused them' }],
    ]);
  });
});
