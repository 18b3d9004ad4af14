import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DiskQueue } from '../../src/pipeline/queue/disk-queue.ts';
import { FailureReport } from '../../src/pipeline/queue/open-queue.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { createFailingFiles, type FailingFiles } from '../storage/support/failing-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { openDelivery } from './support/open-delivery.ts';

const folder = temporaryFolder();

/** About 14 KiB of incompressible data on the disk. */
const template = createTestBatch({ rows: [{ values: { text: randomBytes(10_000).toString('base64') } }] });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const failure = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

async function openQueue(name: string, files: FailingFiles, maxBytes = 1 << 28) {
  const errors: unknown[] = [];
  const queue = await DiskQueue.open(
    { directory: join(folder, name), maxBytes, maxAgeMs: 0, whenFull: 'drop_oldest', syncEveryMs: 60_000 },
    { files, onError: (error) => void errors.push(error) },
  );
  const lost: Record<string, number> = {};
  queue.watchDrops((batches, why) => {
    if (batches > 0) lost[why] = (lost[why] ?? 0) + batches;
  });
  const put = (from: number, to: number) => {
    for (let sequence = from; sequence <= to; sequence++) queue.put({ ...template, sequence });
  };
  const takeAll = async () => {
    const taken: number[] = [];
    while (queue.size > 0) {
      taken.push(...(await queue.peek(50)).map(({ sequence }) => sequence));
      queue.confirm();
    }
    return taken;
  };
  return { queue, lost, errors, put, takeAll };
}

/** A queue with 300 batches of an earlier process, none of them in memory. */
async function openFilled(name: string, files: FailingFiles) {
  const { queue, put } = await openQueue(name, createFailingFiles());
  put(1, 300);
  await queue.close();
  return openQueue(name, files);
}

/** A segment of a queue, and where each of its records begins (with its frame) and ends. They are found by the marker in its name. */
function readFrames(name: string, position: number) {
  const directory = join(folder, name);
  const [file] = readdirSync(directory)
    .filter((each) => each.endsWith('.segment'))
    .sort()
    .slice(position);
  const path = join(directory, file!);
  const bytes = readFileSync(path);
  const marker = Buffer.alloc(4);
  marker.writeUInt32LE(Number.parseInt(file!.slice(17, 25), 16));
  const begins: number[] = [];
  for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + 1)) begins.push(at);
  return { path, frames: begins.map((begin, i) => [begin, begins[i + 1] ?? bytes.length] as const) };
}

/** Reads groups until `refusals` reads have failed, or until it has that many batches. */
async function takeDespiteErrors(queue: DiskQueue, refusals = Infinity, batches = Infinity) {
  const taken: number[] = [];
  let refused = 0;
  while (queue.size > 0 && taken.length < batches && refused < refusals) {
    const group = await queue.peek(50).catch((error) => {
      assert.ok(error.code === 'EIO' || error.code === 'EMFILE', String(error));
      refused++;
    });
    taken.push(...(group ?? []).map(({ sequence }) => sequence));
    queue.confirm();
  }
  return { taken, refused };
}

describe('DiskQueue on a failing disk', () => {
  it('keeps the newest batches on a small full disk, also after a group being delivered', async () => {
    const { queue, lost, put, takeAll } = await openQueue('small-disk', createFailingFiles(4 << 20));
    put(1, 20);
    await queue.peek(10);
    put(21, 2_000);
    assert.equal(queue.size, 2_000 - lost['disk_full']!);
    const taken = await takeAll();
    assert.equal(taken.length, 2_000 - lost['disk_full']!);
    assert.deepEqual(taken.slice(0, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(taken.at(-1), 2_000);
    assert.ok(taken.length > 100 && taken.slice(10).every((sequence) => sequence > 1_500), String(taken));
    await queue.close();
  });

  it('tells whether what was put is on the disk, also across segments', async () => {
    const files = createFailingFiles();
    const { queue, put } = await openQueue('synced', files, 1 << 24);
    const { sync } = files;
    put(1, 10);
    assert.equal(await queue.sync(), true);
    for (const count of [1, 200]) {
      files.sync = async () => {
        throw failure('EIO', 'fsync');
      };
      put(1, count);
      assert.equal(await queue.sync(), false);
      files.sync = sync;
      put(1, 1);
      assert.equal(await queue.sync(), true, 'later batches are synced');
    }
    await queue.close();
  });

  it('drops no queued batch when writes fail for another reason than a full disk', async () => {
    const files = createFailingFiles();
    const { queue, lost, errors, put, takeAll } = await openQueue('read-only', files);
    put(1, 300);
    files.writing = failure('EROFS', 'write');
    put(301, 400);
    assert.deepEqual(lost, { disk_full: 100 });
    assert.ok(errors.length > 0);
    files.writing = undefined;
    put(401, 410);
    assert.equal((await takeAll()).length, 310);
    await queue.close();
  });

  it('delivers everything around unreadable blocks, and counts the other batches exactly', async () => {
    const files = createFailingFiles();
    const { queue, lost, errors } = await openFilled('bad-blocks', files);
    const { path, frames } = readFrames('bad-blocks', 1);
    const [from, to] = [25 * 4_096 + 100, 26 * 4_096 + 1];
    files.reading = { error: failure('EIO', 'read'), path, from, to };
    const hit = frames.filter(([begin, end]) => begin < 27 * 4_096 && end > 25 * 4_096).length;
    assert.ok(hit >= 1 && hit <= 3);
    const { taken, refused } = await takeDespiteErrors(queue);
    assert.equal(taken.length, 300 - hit);
    assert.deepEqual(lost, { damaged: hit });
    assert.deepEqual(
      taken,
      range(1, 300).filter((sequence) => taken.includes(sequence)),
    );
    assert.equal(refused, 7);
    assert.match(String(errors.at(-1)), /queue file .* cannot be read/);
    assert.equal(errors.length, 8);
    await queue.close();
  });

  it('loses nothing when reads succeed again after a while', async () => {
    for (const [code, attempts] of [
      ['EIO', 7],
      ['EMFILE', 30],
    ] as const) {
      const files = createFailingFiles();
      const { queue, lost, takeAll } = await openFilled(`repaired-${code}`, files);
      const taken: number[] = [];
      for (const position of [0, -1]) {
        const { path } = readFrames(`repaired-${code}`, position);
        files.reading = { error: failure(code, 'read'), path, from: 0, to: Infinity };
        taken.push(...(await takeDespiteErrors(queue, attempts)).taken);
        files.reading = undefined;
        taken.push(...(await takeDespiteErrors(queue, Infinity, 50)).taken);
      }
      assert.deepEqual([...taken, ...(await takeAll())], range(1, 300));
      assert.deepEqual(lost, {});
      await queue.close();
    }
  });

  it('counts the batches of a removed file immediately, and continues after it', async () => {
    const { queue, lost, errors, takeAll } = await openFilled('taken-away', createFailingFiles());
    const { path, frames } = readFrames('taken-away', 1);
    rmSync(path);
    assert.equal((await takeAll()).length, 300 - frames.length);
    assert.deepEqual(lost, { damaged: frames.length });
    assert.ok(errors.length > 0);
    await queue.close();
  });

  it('does not delay an output for a file that cannot be read at all', async () => {
    const files = createFailingFiles();
    const { queue } = await openFilled('bad-file', files);
    const { path, frames } = readFrames('bad-file', 0);
    files.reading = { error: failure('EIO', 'read'), path, from: 0, to: Infinity };
    const taken: number[] = [];
    const { delivery } = openDelivery(
      (group) => void taken.push(...group.map(({ sequence }) => sequence)),
      { group_batches: 50 },
      () => queue,
    );
    await until(() => delivery.counters.queued === 0);
    assert.deepEqual(taken, range(frames.length + 1, 300));
    const { delivered, dropped, droppedBy, retries } = delivery.counters;
    assert.deepEqual([delivered, dropped, droppedBy.damaged], [taken.length, frames.length, frames.length]);
    assert.equal(retries, 7);
    await delivery.drain();
  });

  it('starts when headers cannot be read', async () => {
    await (await openFilled('bad-header', createFailingFiles())).queue.close();
    const files = createFailingFiles();
    const { path } = readFrames('bad-header', 0);
    files.reading = { error: failure('EIO', 'read'), path, from: 0, to: 256 };
    const { queue: again, takeAll, errors } = await openQueue('bad-header', files);
    assert.deepEqual(await takeAll(), range(1, 300));
    assert.equal(errors.length, 1);
    await again.close();
  });
});

describe('DiskQueue with a file that cannot be opened at the start', () => {
  for (const position of [0, 1, -1]) {
    const which = position === -1 ? 'the last' : `number ${position + 1}`;
    const openUnreadable = async (name: string) => {
      await (await openFilled(name, createFailingFiles())).queue.close();
      const files = createFailingFiles();
      const { path, frames } = readFrames(name, position);
      files.opening = { error: failure('EIO', 'open'), path };
      return { files, frames, ...(await openQueue(name, files)) };
    };

    it(`counts the batches of ${which}, and delivers all others and later ones`, async () => {
      const { queue, frames, lost, errors, put } = await openUnreadable(`unopened${position}`);
      assert.equal(queue.size, 300);
      put(301, 310);
      const { taken, refused } = await takeDespiteErrors(queue);
      assert.deepEqual(lost, { damaged: frames.length });
      assert.equal(taken.length, 310 - frames.length);
      assert.equal(refused, 7);
      assert.ok(errors.some((error) => (error as NodeJS.ErrnoException).code === 'QUEUE_FILE_UNREADABLE'));
      await queue.close();
    });

    it(`loses nothing of ${which} when it can be opened later`, async () => {
      const { queue, files, lost, takeAll } = await openUnreadable(`opened-later${position}`);
      files.opening = undefined;
      assert.deepEqual(await takeAll(), range(1, 300));
      assert.deepEqual(lost, {});
      await queue.close();
    });
  }
});

describe('FailureReport', () => {
  it('reports the same failure after doubling pauses, and other failures immediately', () => {
    let nowMs = 0;
    const passed: [number, unknown][] = [];
    const report = new FailureReport(
      (error) => void passed.push([nowMs / 60_000, (error as NodeJS.ErrnoException).code]),
      () => nowMs,
    );
    for (; nowMs < 20 * 60_000; nowMs += 200) {
      report.add(failure('EIO', 'fsync'));
      if (nowMs === 90_000) report.add(failure('ENOSPC', 'write'));
    }
    assert.deepEqual(passed, [
      [0, 'EIO'],
      [1, 'EIO'],
      [1.5, 'ENOSPC'],
      [3, 'EIO'],
      [7, 'EIO'],
      [15, 'EIO'],
    ]);
    nowMs += 3 * 3_600_000;
    report.add(failure('EIO', 'fsync'));
    assert.equal(passed.length, 7);
  });
});
