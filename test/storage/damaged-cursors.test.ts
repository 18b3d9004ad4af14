import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeFileSystem } from '../../src/storage/file-system.ts';
import { RecordLog } from '../../src/storage/segments/record-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

const headerBytes = 256;
const everything = { records: 1_000, bytes: 1 << 20, notBeforeMs: 0 };

const openLog = (directory: string) =>
  RecordLog.open({
    directory,
    segmentBytes: 1 << 20,
    syncEveryMs: 60_000,
    files: nodeFileSystem,
    randomMarker: () => 0x6b8b4567,
    onError: (error) => assert.fail(String(error)),
  });

/** A directory with the two files of a queue with twelve records, five of them delivered. */
async function writeQueue(name: string) {
  const directory = join(folder, name);
  const log = await openLog(directory);
  for (let i = 1; i <= 12; i++) log.append(Buffer.from(`record ${i}`), i);
  await log.read({ ...everything, records: 5 }, String);
  log.confirm();
  await log.close();
  const [segment, cursors, ...others] = readdirSync(directory).sort();
  assert.deepEqual([cursors, others], ['cursors', []]);
  return { directory, segment: join(directory, segment!), cursors: join(directory, 'cursors') };
}

async function readAll(directory: string) {
  const log = await openLog(directory);
  const { size } = log;
  const { items, damaged } = await log.read(everything, String);
  log.confirm();
  const left = log.size;
  await log.close();
  return { size, items, damaged, left };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => `record ${from + i}`);
const rest = { size: 7, items: numbered(6, 12), damaged: 0, left: 0 };

describe('the cursors of a queue', async () => {
  const { directory, segment, cursors } = await writeQueue('whole');
  const whole = { segment: readFileSync(segment), cursors: readFileSync(cursors) };
  /** Writes both files again. Undefined for a missing one. */
  const write = (found: { segment?: Buffer | undefined; cursors?: Buffer | undefined }) => {
    for (const path of readdirSync(directory)) rmSync(join(directory, path));
    if (found.segment !== undefined) writeFileSync(segment, found.segment);
    if (found.cursors !== undefined) writeFileSync(cursors, found.cursors);
  };

  it('survive a cut in the header of the only segment: every loss is counted', async () => {
    for (let cut = 0; cut <= headerBytes; cut++) {
      write({ ...whole, segment: whole.segment.subarray(0, cut) });
      assert.deepEqual(await readAll(directory), { ...rest, items: [], damaged: 7 }, `cut at ${cut}`);
    }
  });

  it('that were emptied together with the only segment are counted as a loss', async () => {
    write({ segment: Buffer.alloc(0), cursors: Buffer.alloc(0) });
    assert.deepEqual(await readAll(directory), { size: 1, items: [], damaged: 1, left: 0 });
    assert.deepEqual(await readAll(directory), { size: 0, items: [], damaged: 0, left: 0 });
  });

  it('survive an overwritten header of the only segment: nothing is lost or repeated', async () => {
    const segment = Buffer.from(whole.segment).fill(0xa5, 0, headerBytes);
    write({ ...whole, segment });
    assert.deepEqual(await readAll(directory), rest);
  });

  it('survive the loss of the only segment: all waiting records are counted once', async () => {
    write({ cursors: whole.cursors });
    await (await openLog(directory)).close();
    assert.deepEqual(await readAll(directory), { ...rest, items: [], damaged: 7 });
    assert.deepEqual(await readAll(directory), { size: 0, items: [], damaged: 0, left: 0 });
    assert.deepEqual(readdirSync(directory), []);
  });

  it('survive a missing, cut or damaged spare file', async () => {
    write({ segment: whole.segment });
    assert.deepEqual(await readAll(directory), rest);
    for (let at = 0; at < whole.cursors.length; at++) {
      const flipped = Buffer.from(whole.cursors);
      flipped[at]! ^= 0xff;
      for (const found of [flipped, whole.cursors.subarray(0, at)]) {
        write({ segment: whole.segment, cursors: found });
        assert.deepEqual(await readAll(directory), rest, `at ${at}`);
      }
    }
  });

  it('are lost when both files are damaged: the intact records are delivered again', async () => {
    write({
      segment: Buffer.from(whole.segment).fill(0, 0, headerBytes),
      cursors: whole.cursors.subarray(0, 9),
    });
    assert.deepEqual(await readAll(directory), { size: 12, items: numbered(1, 12), damaged: 0, left: 0 });
  });

  it('leave no file for an empty queue', async () => {
    write(whole);
    await readAll(directory);
    assert.equal((await readAll(directory)).size, 0);
    assert.deepEqual(readdirSync(directory), []);
  });

  it('of version 1, without a spare file, are read and continued', async () => {
    const old = join(folder, 'version-1');
    cpSync(fileURLToPath(new URL('./fixtures/queue-version-1', import.meta.url)), old, { recursive: true });
    const log = await openLog(old);
    assert.equal(log.size, 3);
    log.append(Buffer.from('record 6 of version 2'), 6);
    await log.close();
    const { items, damaged } = await readAll(old);
    const expected = ['record 3 of version 1', 'record 4 of version 1', 'record 5 of version 1'];
    assert.deepEqual({ items, damaged }, { items: [...expected, 'record 6 of version 2'], damaged: 0 });
  });
});
