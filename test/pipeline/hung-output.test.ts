import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Batch } from '../../src/model/batch.ts';
import { createPipeline } from '../../src/pipeline/create-pipeline.ts';
import { DiskQueue } from '../../src/pipeline/queue/disk-queue.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openDelivery } from './support/open-delivery.ts';
import { quiet } from './support/quiet-reports.ts';

/** One hour of 80 devices, each polled once per minute: 48 rows of 10 counters, 3.8 kB of numbers per poll. */
const [devices, minutes, rows] = [80, 60, 48];
const template = createTestBatch({ rows: Array.from({ length: rows }, () => ({})) });

function createPoll(sequence: number, nowMs: number): Batch {
  const columns = Array.from({ length: 10 }, (_, i) => {
    const words = Uint32Array.from({ length: 2 * rows }, (_, at) => sequence * 31 + at * 7_919 * i);
    return { kind: 'counter', metric: 'counter', field: `counter.${i}`, words } as const;
  });
  return { ...template, sequence, slotMs: nowMs, timeMs: nowMs, columns };
}

/** Pushes polls and returns the most turns of the event loop that the healthy output needed for one poll. */
async function run(t: TestContext, polls: number, hasHungOutput: boolean) {
  const directory = temporaryFolder(t);
  let nowMs = 1_767_225_600_000;
  const queue = await DiskQueue.open(
    {
      directory: join(directory, 'queue'),
      maxBytes: 2 ** 30,
      maxAgeMs: 0,
      whenFull: 'drop_oldest',
      syncEveryMs: 200,
    },
    { onError: (error) => assert.fail(String(error)), now: () => nowMs },
  );
  const pipeline = createPipeline(quiet);
  let arrived = 0;
  const healthy = openDelivery((group) => {
    arrived += group.length;
  });
  const hung = openDelivery(
    () => new Promise(() => {}),
    { drain_timeout_ms: 1 },
    () => queue,
  );
  if (hasHungOutput) pipeline.addOutput(hung.delivery);
  pipeline.addOutput(healthy.delivery);
  const before = await measureMemory();
  let worst = 0;
  for (let sequence = 1; sequence <= polls; sequence++) {
    nowMs += 60_000 / devices;
    pipeline.push(createPoll(sequence, nowMs));
    let turns = 0;
    for (; arrived < sequence; turns++) await new Promise(setImmediate);
    worst = Math.max(worst, turns);
  }
  const grownBytes = (await measureMemory()) - before;
  const counters = hung.delivery.counters;
  const waitedMs = nowMs - (counters.oldestMs ?? nowMs);
  await Promise.all([hung.delivery.drain(), healthy.delivery.drain()]);
  return { worst, grownBytes, counters, waitedMs };
}

/** The memory of buffers is released some turns after the last reference is gone. */
async function measureMemory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let turn = 0; turn < 4; turn++) {
    collect();
    await new Promise(setImmediate);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe('an output that hangs for an hour', () => {
  it('does not delay other outputs, takes no memory, and keeps all batches in its queue', async (t) => {
    const without = await run(t, 10 * devices, false);
    const { worst, grownBytes, counters, waitedMs } = await run(t, devices * minutes, true);
    assert.equal(worst, without.worst);
    assert.ok(grownBytes < 9e6, `${grownBytes} of ${devices * minutes * rows * 80} bytes`);
    assert.deepEqual([counters.queued, counters.dropped], [devices * minutes, 0]);
    assert.ok(waitedMs > 59 * 60_000, `${waitedMs}`);
  });
});
