import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Delivery } from '../../src/pipeline/delivery.ts';
import type { Writer } from '../../src/pipeline/output-writer.ts';
import { PermanentError } from '../../src/pipeline/permanent-error.ts';
import { DiskQueue } from '../../src/pipeline/queue/disk-queue.ts';
import { DropReport } from '../../src/pipeline/queue/drop-report.ts';
import { type FileSystem, nodeFileSystem } from '../../src/storage/file-system.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { createFailingFiles } from '../storage/support/failing-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { openDelivery } from './support/open-delivery.ts';

const folder = temporaryFolder();

const notice = createTestBatch({ record: 'waywiser::outputDropped' });
const maxAgeMs = 60_000;

function putMany(delivery: Delivery, count: number): void {
  for (let i = 1; i <= count; i++) delivery.put(createTestBatch({ sequence: i }));
}

async function openDiskDelivery(write: Writer, now: () => number, files: FileSystem = nodeFileSystem) {
  const queue = await DiskQueue.open(
    {
      directory: mkdtempSync(join(folder, 'queue-')),
      maxBytes: 1 << 20,
      maxAgeMs,
      whenFull: 'drop_oldest',
      syncEveryMs: 200,
    },
    { onError: () => {}, now, files },
  );
  return openDelivery(write, {}, () => queue);
}

describe('notices of drops', () => {
  it('are counted and not reported when they are lost themselves', async () => {
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

  it('do not fill the queues of other outputs during a long outage, and count every loss', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let nowMs = 0;
    const reported: number[] = [];
    const report = new DropReport(
      ({ batches }) => void reported.push(batches),
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
    assert.ok(reported.length < 80, `${reported.length} notices in an hour`);
    assert.deepEqual(reported.slice(0, 3), [1, 1, 1]);
    passSeconds(300, false);
    assert.equal(
      reported.reduce((sum, batches) => sum + batches),
      3_600,
    );
    const before = reported.length;
    passSeconds(2, true);
    assert.equal(reported.length, before + 2, 'another outage is reported at once');
  });

  it('report the other batches of a group that are lost with them', async () => {
    const { delivery, happened } = openDelivery(() => {
      throw new PermanentError('never');
    });
    delivery.put(notice);
    putMany(delivery, 2);
    await until(() => delivery.counters.queued === 0);
    await delivery.drain();
    assert.equal(delivery.counters.droppedBy.refused, 3);
    assert.deepEqual(happened, [
      ['output.dropped', { output: 'out', batches: 2, values: 0, why: 'the output refused them' }],
    ]);
  });

  it('are counted and not reported when they expire on the disk, with other batches or alone', async () => {
    let nowMs = 1_000_000;
    let release: () => void = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { delivery, happened } = await openDiskDelivery(
      () => blocked,
      () => nowMs,
    );
    putMany(delivery, 1);
    await setImmediate();
    delivery.put(notice);
    putMany(delivery, 2);
    delivery.put(notice);
    nowMs += maxAgeMs + 1_500;
    delivery.put(notice);
    assert.equal(delivery.counters.droppedBy.too_old, 4, 'while the output takes nothing');
    nowMs += maxAgeMs + 1_500;
    release();
    await until(() => delivery.counters.queued === 0);
    assert.equal(delivery.counters.droppedBy.too_old, 5, 'when it comes to them');
    await delivery.drain();
    assert.deepEqual(happened, [['output.dropped', lost(2, 'they waited too long')]]);
  });

  it('are counted and not reported when a full disk drops them', async () => {
    const files = createFailingFiles(20_000);
    const { delivery, happened } = await openDiskDelivery(() => new Promise(() => {}), Date.now, files);
    putMany(delivery, 1);
    await setImmediate();
    for (let i = 0; i < 200; i++) delivery.put(notice);
    assert.ok(delivery.counters.droppedBy.disk_full > 50);
    await delivery.drain();
    assert.deepEqual(happened, []);
  });
});

const lost = (batches: number, why: string) => ({ output: 'out', batches, values: 0, why });
