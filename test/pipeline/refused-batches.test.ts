import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Delivery } from '../../src/pipeline/delivery.ts';
import { PermanentError } from '../../src/pipeline/permanent-error.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { until } from '../support/until.ts';
import { openDelivery } from './support/open-delivery.ts';

function putMany(delivery: Delivery, count: number): void {
  for (let i = 1; i <= count; i++) delivery.put(createTestBatch({ sequence: i }));
}

describe('batches that an output refuses for good', () => {
  it('are dropped, counted and logged after a PermanentError', async () => {
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
      droppedBy: {
        full: 0,
        disk_full: 0,
        too_old: 0,
        damaged: 0,
        too_large: 0,
        refused: 1,
        fenced: 0,
        stopped: 0,
      },
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

  it('are counted apart, and neither kept nor logged, when another collector had taken over their devices', async () => {
    const kept: string[] = [];
    const { delivery, lines } = openDelivery(
      (group) => {
        throw new PermanentError('late', { refused: [], fenced: group.slice(0, 2) });
      },
      {},
      undefined,
      (_, why) => void kept.push(why),
    );
    putMany(delivery, 5);
    await until(() => delivery.counters.queued === 0);
    const { delivered, dropped, droppedBy } = delivery.counters;
    assert.deepEqual([delivered, dropped, droppedBy.fenced, droppedBy.refused], [3, 2, 2, 0]);
    assert.deepEqual([kept, lines], [[], []]);
    await delivery.drain();
  });

  it('are only those that a PermanentError names, and are kept if wanted', async () => {
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

  it('are recognised by the PermanentError of another copy of the package', async () => {
    const { delivery } = openDelivery(() => {
      throw Object.assign(new Error('never'), { name: 'PermanentError' });
    });
    putMany(delivery, 1);
    await until(() => delivery.counters.dropped === 1);
    await delivery.drain();
  });
});
