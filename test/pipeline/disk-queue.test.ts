import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Batch } from '../../src/model/batch.ts';
import {
  DiskQueue,
  type DiskQueueParts,
  type DiskQueueSettings,
} from '../../src/pipeline/queue/disk-queue.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { createFailingFiles } from '../storage/support/failing-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

/** About 700 incompressible bytes on the disk. */
const template = createTestBatch({ rows: [{ values: { text: randomBytes(400).toString('base64') } }] });
const batchOf = (sequence: number): Batch => ({ ...template, sequence });
const sequencesOf = (batches: readonly Batch[]) => batches.map(({ sequence }) => sequence);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function openQueue(
  name: string,
  changed: Partial<DiskQueueSettings> = {},
  parts: Partial<DiskQueueParts> = {},
) {
  const settings = {
    directory: join(folder, name),
    maxBytes: 1 << 20,
    maxAgeMs: 0,
    whenFull: 'drop_oldest',
    syncEveryMs: 200,
    ...changed,
  } as const;
  const queue = await DiskQueue.open(settings, { onError: (error) => assert.fail(String(error)), ...parts });
  const lost: Record<string, number> = {};
  queue.watchDrops((batches, why) => {
    lost[why] = (lost[why] ?? 0) + batches;
  });
  return { queue, lost };
}

/** Puts batches `from` to `to` and returns how many were dropped. */
function putMany(queue: DiskQueue, from: number, to: number): number {
  return range(from, to).reduce((dropped, sequence) => dropped + queue.put(batchOf(sequence)), 0);
}

async function takeAll(queue: DiskQueue, max = 100): Promise<number[]> {
  const taken: number[] = [];
  while (queue.size > 0) {
    taken.push(...sequencesOf(await queue.peek(max)));
    queue.confirm();
  }
  return taken;
}

describe('DiskQueue', () => {
  it('returns batches in order, and the same ones until they are confirmed', async () => {
    const { queue } = await openQueue('order');
    putMany(queue, 1, 5);
    assert.deepEqual(sequencesOf(await queue.peek(2)), [1, 2]);
    assert.deepEqual(sequencesOf(await queue.peek(9)), [1, 2]);
    queue.confirm();
    assert.deepEqual(sequencesOf(await queue.peek(9)), [3, 4, 5]);
    assert.equal(queue.size, 3);
    queue.confirm();
    assert.equal(queue.size, 0);
    assert.equal(queue.oldestMs, undefined);
    await queue.close();
  });

  it('returns exactly the unconfirmed batches to the next process, over many segments', async () => {
    const { queue } = await openQueue('restart', { maxBytes: 4 << 20 });
    putMany(queue, 1, 3_000);
    await queue.peek(1_000);
    queue.confirm();
    await queue.peek(50);
    assert.equal(await queue.close(), 0);
    const { queue: again, lost } = await openQueue('restart');
    assert.equal(again.size, 2_000);
    assert.deepEqual(sequencesOf(await again.peek(50)), range(1_001, 1_050));
    again.confirm();
    assert.deepEqual(await takeAll(again), range(1_051, 3_000));
    assert.deepEqual(lost, { damaged: 0, too_old: 0 });
    await again.close();
    const { queue: third } = await openQueue('restart');
    assert.equal(third.size, 0);
    assert.deepEqual(readdirSync(join(folder, 'restart')), []);
    await third.close();
  });

  it('drops the oldest waiting batches when it is full, but none being delivered', async () => {
    const { queue } = await openQueue('oldest');
    putMany(queue, 1, 10);
    await queue.peek(4);
    const dropped = putMany(queue, 11, 3_000);
    assert.ok(dropped > 1_000 && queue.bytes <= 1 << 20);
    assert.equal(queue.size, 3_000 - dropped);
    assert.deepEqual(sequencesOf(await queue.peek(4)), [1, 2, 3, 4]);
    await queue.close();
    const { queue: again } = await openQueue('oldest');
    assert.equal(again.size, 3_000 - dropped);
    assert.deepEqual(await takeAll(again), [1, 2, 3, 4, ...range(dropped + 5, 3_000)]);
    await again.close();
  });

  it('drops the newest batches with drop_newest', async () => {
    const { queue } = await openQueue('newest', { whenFull: 'drop_newest' });
    const dropped = putMany(queue, 1, 3_000);
    assert.ok(dropped > 1_000);
    assert.deepEqual(await takeAll(queue), range(1, 3_000 - dropped));
    await queue.close();
  });

  it('asks for a pause before it is full with pause, until there is room', async () => {
    const { queue } = await openQueue('pause', { whenFull: 'pause' });
    let put = 0;
    while (!queue.isPausing) assert.equal(putMany(queue, ++put, put), 0);
    assert.equal(putMany(queue, put + 1, put + 20), 0);
    assert.ok(putMany(queue, 1, 1_000) > 0);
    await takeAll(queue);
    assert.ok(!queue.isPausing);
    await queue.close();
  });

  it('asks for a pause while the disk is full, and tries again after a while', async () => {
    let nowMs = 1_000_000;
    const files = createFailingFiles(60_000);
    const parts = { files, now: () => nowMs, onError: () => {} };
    const { queue, lost } = await openQueue('pause-full', { whenFull: 'pause' }, parts);
    while (!queue.isPausing) queue.put(batchOf(1));
    assert.equal(lost['disk_full'], 1);
    files.quotaBytes *= 2;
    assert.ok(queue.isPausing);
    nowMs += 6_000;
    assert.ok(!queue.isPausing);
    queue.put(batchOf(2));
    assert.ok(!queue.isPausing);
    assert.equal(lost['disk_full'], 1);
    await queue.close();
  });

  it('drops batches that have waited too long, in segments and one by one', async () => {
    let nowMs = 1_000_000;
    const { queue, lost } = await openQueue('old', { maxAgeMs: 60_000 }, { now: () => nowMs });
    putMany(queue, 1, 1_500);
    nowMs += 50_000;
    putMany(queue, 1_501, 1_600);
    nowMs += 20_000;
    assert.deepEqual(await takeAll(queue), range(1_501, 1_600));
    assert.deepEqual(lost, { damaged: 0, too_old: 1_500 });
    putMany(queue, 1, 1_500);
    await queue.peek(1);
    nowMs += 70_000;
    assert.equal(queue.put(batchOf(1_501)), 0);
    assert.ok(lost['too_old']! > 2_800 && queue.size < 200, `${lost['too_old']}`);
    await queue.close();
  });

  it('drops expired batches repeatedly while its output accepts nothing', async () => {
    let nowMs = 1_000_000;
    const { queue, lost } = await openQueue('old-again', { maxAgeMs: 60_000 }, { now: () => nowMs });
    for (let round = 1; round <= 40; round++) {
      putMany(queue, 100 * round - 99, 100 * round);
      nowMs += 10_000;
      assert.ok(queue.size <= 900, `${queue.size} wait after ${round} rounds`);
    }
    assert.deepEqual(lost, { too_old: 4_000 - queue.size });
    await queue.close();
  });

  it('knows the age of batches behind an earlier group, whenever that group was read', async () => {
    let nowMs = 0;
    const { queue, lost } = await openQueue('left', { maxAgeMs: 1_000 }, { now: () => nowMs });
    putMany(queue, 1, 2);
    nowMs = 500;
    assert.deepEqual(sequencesOf(await queue.peek(1)), [1]);
    queue.confirm();
    assert.equal(queue.oldestMs, 0);
    nowMs = 1_400;
    assert.deepEqual(sequencesOf(await queue.peek(1)), []);
    assert.equal(lost['too_old'], 1);
    await queue.close();
  });

  it('counts a batch that is damaged on the disk, and returns all others', async () => {
    const { queue } = await openQueue('damaged');
    putMany(queue, 1, 20);
    await queue.close();
    const [name] = readdirSync(join(folder, 'damaged'));
    const path = join(folder, 'damaged', name!);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    const { queue: again, lost } = await openQueue('damaged');
    assert.equal((await takeAll(again)).length, 19);
    assert.equal(lost['damaged'], 1);
    await again.close();
  });

  for (const whenFull of ['drop_oldest', 'drop_newest'] as const) {
    it(`counts every loss on a full disk with ${whenFull}, and recovers`, async () => {
      const files = createFailingFiles(400_000);
      const errors: unknown[] = [];
      const parts = { files, onError: (error: unknown) => void errors.push(error) };
      const { queue, lost } = await openQueue(`full-${whenFull}`, { whenFull }, parts);
      let dropped = putMany(queue, 1, 3_000);
      assert.ok(errors.length > 0 && lost['disk_full']! > 500);
      assert.equal(queue.size, 3_000 - dropped - lost['disk_full']!);
      files.quotaBytes = 800_000;
      dropped += putMany(queue, 3_001, 3_500);
      const beforeMore = lost['disk_full'];
      const taken = await takeAll(queue);
      assert.equal(taken.length, 3_500 - dropped - lost['disk_full']!);
      assert.equal(new Set(taken).size, taken.length);
      assert.deepEqual(taken.slice(-500), range(3_001, 3_500));
      assert.equal(lost['disk_full'], beforeMore);
      assert.equal(lost['damaged'] ?? 0, 0);
      await queue.close();
    });
  }

  it('counts every loss and keeps the order through any sequence of events and restarts', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('put' as const), count: fc.integer({ min: 1, max: 300 }) }),
      fc.record({ do: fc.constant('peek' as const), max: fc.integer({ min: 1, max: 400 }) }),
      fc.record({
        do: fc.constantFrom('confirm' as const, 'restart' as const, 'fill' as const, 'free' as const),
      }),
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('drop_oldest' as const, 'drop_newest' as const),
        fc.array(step, { maxLength: 25 }),
        async (whenFull, steps) => {
          const name = `any-${run++}`;
          const files = createFailingFiles(Number.MAX_SAFE_INTEGER);
          const open = () => openQueue(name, { whenFull, maxBytes: 160_000 }, { files, onError: () => {} });
          let { queue, lost } = await open();
          let [put, dropped, delivered, last, peeked] = [0, 0, 0, 0, [] as readonly number[]];
          const lostOf = () => Object.values(lost).reduce((sum, count) => sum + count, 0);
          for (const each of steps) {
            if (each.do === 'put') {
              dropped += putMany(queue, put + 1, put + each.count);
              put += each.count;
            }
            if (each.do === 'peek') peeked = sequencesOf(await queue.peek(each.max));
            if (each.do === 'fill') files.quotaBytes = files.usedBytes;
            if (each.do === 'free') files.quotaBytes = Number.MAX_SAFE_INTEGER;
            if (each.do === 'confirm') {
              queue.confirm();
              for (const sequence of peeked) {
                assert.ok(sequence > last, `${sequence} after ${last}`);
                last = sequence;
              }
              delivered += peeked.length;
              peeked = [];
            }
            if (each.do === 'restart') {
              dropped += lostOf();
              await queue.close();
              peeked = [];
              ({ queue, lost } = await open());
            }
            assert.equal(put, delivered + dropped + lostOf() + queue.size);
          }
          await queue.close();
          rmSync(join(folder, name), { recursive: true, force: true });
        },
      ),
      { numRuns: 30 },
    );
  });
});
