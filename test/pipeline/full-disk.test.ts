import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DiskQueue } from '../../src/pipeline/queue/disk-queue.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { isLong } from '../support/long-run.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { openDelivery } from './support/open-delivery.ts';

const diskBytes = 6 << 20;
const template = createTestBatch({ rows: [{ values: { text: randomBytes(1_500).toString('base64') } }] });

describe('DiskQueue on a real full disk', { skip: !isLong }, () => {
  for (const whenFull of ['drop_oldest', 'drop_newest'] as const) {
    it(`counts every loss with ${whenFull}, and recovers`, async (t) => {
      const folder = mountSmallDisk(t, diskBytes);
      if (folder === undefined) return t.skip('mount is not allowed here');
      const errors: unknown[] = [];
      const open = () =>
        DiskQueue.open(
          { directory: join(folder, 'queue'), maxBytes: 16 << 20, maxAgeMs: 0, whenFull, syncEveryMs: 50 },
          { onError: (error) => void errors.push(error) },
        );
      let isDown = true;
      const taken = new Set<number>();
      const queue = await open();
      const { delivery } = openDelivery(
        (group) => {
          if (isDown) throw new Error('down');
          for (const { sequence } of group) taken.add(sequence);
        },
        { group_batches: 20 },
        () => queue,
      );
      let sequence = 0;
      const putMany = async (count: number) => {
        for (const last = sequence + count; sequence < last; ) {
          delivery.put({ ...template, sequence: ++sequence });
          if (sequence % 100 === 0) await new Promise(setImmediate);
          const { accepted, delivered, dropped, queued } = delivery.counters;
          assert.equal(accepted, delivered + dropped + queued);
        }
      };
      mkdirSync(join(folder, 'other'));
      await putMany(1_000);
      writeFileSync(join(folder, 'other', 'file'), Buffer.alloc(2 << 20));
      await putMany(4_000);
      assert.ok(delivery.counters.droppedBy.disk_full > 500 && errors.length > 0);
      rmSync(join(folder, 'other', 'file'));
      isDown = false;
      await until(() => delivery.counters.queued === 0);
      const dropped = delivery.counters.droppedBy.disk_full;
      await putMany(100);
      await until(() => delivery.counters.queued === 0);
      assert.equal(delivery.counters.droppedBy.disk_full, dropped);
      assert.equal(delivery.counters.droppedBy.damaged, 0);
      assert.equal(taken.size, sequence - delivery.counters.dropped);
      await delivery.drain();
    });
  }
});
