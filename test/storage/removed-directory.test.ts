import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { nodeFileSystem } from '../../src/storage/file-system.ts';
import { RecordLog } from '../../src/storage/segments/record-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const everything = { records: 1_000, bytes: 1 << 20, notBeforeMs: 0 };

const failed = (error: unknown) => assert.fail(String(error));

function openLog(directory: string, segmentBytes = 1 << 20, onError: (error: unknown) => void = failed) {
  return RecordLog.open({
    directory,
    segmentBytes,
    syncEveryMs: 60_000,
    files: nodeFileSystem,
    randomMarker: () => 0x6b8b4567,
    onError,
  });
}

const place = (t: TestContext) => join(temporaryFolder(t), 'queue');

describe('a queue whose directory was removed while it runs', () => {
  it('keeps what is appended after the next sync for the next process', async (t) => {
    const directory = place(t);
    const log = await openLog(directory);
    log.append(Buffer.from('lost'), 1);
    rmSync(directory, { recursive: true });
    await log.sync();
    for (const text of ['a', 'b']) log.append(Buffer.from(text), 2);
    assert.equal(log.size, 3);
    await log.close();
    const next = await openLog(directory);
    const { items } = await next.read(everything, String);
    assert.deepEqual(items, ['a', 'b']);
    await next.close();
  });

  it('begins its next segment in a new directory', async (t) => {
    const directory = place(t);
    const log = await openLog(directory, 300);
    for (const text of ['x'.repeat(300), 'y']) log.append(Buffer.from(text), 1);
    rmSync(directory, { recursive: true });
    for (const text of ['z'.repeat(300), 'a', 'b']) log.append(Buffer.from(text), 2);
    await log.close();
    const next = await openLog(directory);
    assert.deepEqual((await next.read(everything, String)).items.slice(-2), ['a', 'b']);
    await next.close();
  });

  it('counts what was in it, and goes on', async (t) => {
    const directory = place(t);
    const told: unknown[] = [];
    const log = await openLog(directory, 1 << 20, (error) => void told.push(error));
    for (let i = 0; i < 5; i++) log.append(Buffer.from('lost'), 1);
    rmSync(directory, { recursive: true });
    await log.sync();
    log.append(Buffer.from('kept'), 2);
    const { items, damaged } = await log.read(everything, String);
    assert.deepEqual({ items, damaged }, { items: ['kept'], damaged: 5 });
    assert.deepEqual(
      told.map((error) => (error as { code?: string }).code),
      ['QUEUE_FILE_UNREADABLE'],
    );
    log.confirm();
    assert.equal(log.size, 0);
    await log.close();
  });
});
