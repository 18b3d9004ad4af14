import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DiskQueue } from '../../src/pipeline/queue/disk-queue.ts';
import { FailureReport } from '../../src/pipeline/queue/failure-report.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { FailingFiles } from './support/failing-files.ts';
import { QuotaFiles } from './support/quota-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'waywiser-failing-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** About 14 KiB on the disk, of which nothing can be compressed. */
const template = createTestBatch({ rows: [{ values: { text: randomBytes(10_000).toString('base64') } }] });
const failure = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

async function openQueue(name: string, files: QuotaFiles | FailingFiles, maxBytes = 1 << 28) {
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

describe('a queue on a disk that fails', () => {
  it('keeps the newest on a disk that is full at a few mebibytes, also behind a group under delivery', async () => {
    const { queue, lost, put, takeAll } = await openQueue('small-disk', new QuotaFiles(4 << 20));
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

  it('drops nothing that it has when the disk takes no more for another reason than room', async () => {
    const files = new FailingFiles();
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
});

describe('a failure report', () => {
  it('passes the same failure on after pauses that double, and others at once', () => {
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
