import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type ArchiveParts, BatchArchive } from '../../../../plugins/outputs/batch-files/batch-archive.ts';
import batchFiles from '../../../../plugins/outputs/batch-files/index.ts';
import { type Batch, BatchDecoder, BatchEncoder, PermanentError } from '../../../../src/index.ts';
import { nodeFileSystem } from '../../../../src/storage/file-system.ts';
import { findStoredLog } from '../../../../src/storage/segments/stored-log.ts';
import { checkPlugin, createTestBatch, startTestCollector } from '../../../../src/testing/index.ts';
import { createFailingFiles } from '../../../storage/support/failing-files.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { runOutput } from '../support/running-output.ts';

const folder = temporaryFolder();

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 0, 31, 12);
/** Incompressible, so that a batch has a known size. */
const filler = Array.from({ length: 600 }, (_, i) => Math.sin(i));
const batchOf = (sequence: number): Batch =>
  createTestBatch({ sequence, rows: filler.map((value) => ({ values: { value } })) });
const groupOf = (...sequences: readonly number[]) => sequences.map(batchOf);

interface Limits {
  readonly rotation?: { readonly maxBytes: number; readonly maxAgeMs: number };
  readonly keep?: { readonly maxBytes: number; readonly maxAgeMs: number };
}

async function openArchive(
  name: string,
  { rotation = { maxBytes: 1e8, maxAgeMs: 0 }, keep = { maxBytes: 0, maxAgeMs: 0 } }: Limits = {},
  parts: Partial<ArchiveParts> = {},
) {
  const directory = join(folder, name);
  const clock = { nowMs: startMs };
  const errors: unknown[] = [];
  const archive = await BatchArchive.open(
    { directory, rotation, keep },
    {
      encoder: new BatchEncoder(),
      onError: (error) => void errors.push(error),
      now: () => clock.nowMs,
      ...parts,
    },
  );
  return { archive, directory, clock, errors, files: () => listSegments(directory) };
}

const listSegments = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.segment'))
    .sort();

async function readAll(path: string) {
  const decoder = new BatchDecoder();
  const log = await findStoredLog(path, (record) => decoder.decode(record));
  const batches: Batch[] = [];
  let damaged = 0;
  for await (const group of log ?? []) {
    batches.push(...group.items);
    damaged += group.damaged;
  }
  return { batches, sequences: batches.map(({ sequence }) => sequence), damaged };
}

describe('files of batches', () => {
  it('keep the contract of a plugin', async () => {
    await checkPlugin(batchFiles, { options: { directory: 'batches' } });
  });

  it('return all delivered batches in order, across a restart', async () => {
    const directory = join(folder, 'restart');
    const values = { name: 'eth0', octets: 2n ** 64n - 1n, level: -0.1, up: true, flags: ['a', 'b'] };
    const sent = [1, 2].map((sequence) =>
      createTestBatch({ sequence, tags: { site: 'köln' }, rows: [{ values }, { values: { name: 'eth1' } }] }),
    );
    for (const batch of sent) {
      await using output = await runOutput(batchFiles, { directory });
      await output.deliver(batch);
    }
    const { batches, damaged } = await readAll(directory);
    assert.deepStrictEqual({ batches, damaged }, { batches: sent, damaged: 0 });
    assert.equal(listSegments(directory).length, 2);
  });

  it('return hostile strings of a device intact', async () => {
    const directory = join(folder, 'hostile');
    const sent = Object.values(hostileStrings).map((text) =>
      createTestBatch({
        device: { name: text, ip: text, port: 161 },
        tags: { [text]: text },
        record: text,
        rows: [{ key: text, labels: { [text]: text }, values: { [text]: text } }],
      }),
    );
    await using output = await runOutput(batchFiles, { directory });
    await output.deliver(...sent);
    assert.deepStrictEqual((await readAll(directory)).batches, sent);
  });

  it('are rotated by size and by age', async () => {
    const rotation = { maxBytes: 12_000, maxAgeMs: hourMs };
    const { archive, clock, files, directory } = await openArchive('rotated', { rotation });
    await archive.write(groupOf(1, 2, 3));
    assert.equal(files().length, 1);
    await archive.write(groupOf(4));
    assert.equal(files().length, 2);
    clock.nowMs += hourMs;
    await archive.write(groupOf(5));
    assert.equal(files().length, 3);
    await archive.close();
    assert.deepEqual((await readAll(directory)).sequences, [1, 2, 3, 4, 5]);
    assert.deepEqual((await readAll(join(directory, files()[1]!))).sequences, [4]);
  });

  it('are removed, oldest first, above the size limit', async () => {
    const keep = { maxBytes: 50_000, maxAgeMs: 0 };
    const { archive, files, directory } = await openArchive('limited', { keep });
    for (let sequence = 1; sequence <= 40; sequence++) await archive.write(groupOf(sequence));
    const bytes = files().reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
    await archive.close();
    const { sequences, damaged } = await readAll(directory);
    assert.ok(bytes <= 50_000 && bytes > 30_000, `${bytes} bytes`);
    assert.equal(damaged, 0);
    assert.equal(sequences.at(-1), 40);
    assert.deepEqual(
      sequences,
      Array.from({ length: sequences.length }, (_, i) => 41 - sequences.length + i),
    );
  });

  it('are removed when all their content is too old, and only then', async () => {
    const limits = {
      rotation: { maxBytes: 1e8, maxAgeMs: hourMs },
      keep: { maxBytes: 0, maxAgeMs: 3 * hourMs },
    };
    const { archive, clock, directory } = await openArchive('aged', limits);
    for (const sequence of [1, 2, 3, 4, 5, 6]) {
      await archive.write(groupOf(sequence));
      clock.nowMs += hourMs;
    }
    await archive.close();
    assert.deepEqual((await readAll(directory)).sequences, [3, 4, 5, 6]);
  });

  it('are removed by age also after a missing file and after a restart', async () => {
    const limits = {
      rotation: { maxBytes: 1e8, maxAgeMs: hourMs },
      keep: { maxBytes: 0, maxAgeMs: 2 * hourMs },
    };
    const { archive, clock, directory, files } = await openArchive('taken', limits);
    for (const sequence of [1, 2, 3]) {
      await archive.write(groupOf(sequence));
      clock.nowMs += hourMs;
    }
    await archive.close();
    rmSync(join(directory, files()[0]!));
    const { archive: next, clock: later } = await openArchive('taken', limits);
    later.nowMs += 5 * hourMs;
    await next.write(groupOf(4));
    assert.deepEqual((await readAll(directory)).sequences, [3, 4]);
    later.nowMs += 3 * hourMs;
    await next.write(groupOf(5));
    await next.close();
    assert.deepEqual(await readAll(directory).then(({ sequences, damaged }) => [sequences, damaged]), [
      [5],
      0,
    ]);
  });

  it('keep their limits when files are removed during writes', async () => {
    const keep = { maxBytes: 50_000, maxAgeMs: 0 };
    const { archive, files, directory, errors } = await openArchive('taken-early', { keep });
    for (let sequence = 1; sequence <= 20; sequence++) await archive.write(groupOf(sequence));
    for (const name of files().slice(0, -1)) rmSync(join(directory, name));
    for (let sequence = 21; sequence <= 40; sequence++) await archive.write(groupOf(sequence));
    await archive.close();
    assert.deepEqual(errors, []);
    const { sequences, damaged } = await readAll(directory);
    assert.deepEqual([sequences.at(-1), damaged], [40, 0]);
  });

  it('repeat and damage nothing while the disk is full', async () => {
    const files = createFailingFiles(15_000);
    const { archive, directory, errors } = await openArchive('full', {}, { files });
    const group = groupOf(1, 2, 3, 4, 5, 6);
    await assert.rejects(archive.write(group), { code: 'ENOSPC' });
    await assert.rejects(archive.write(group), { code: 'ENOSPC' });
    files.quotaBytes = 1e9;
    await archive.write(group);
    await archive.write(groupOf(7));
    await archive.close();
    assert.deepEqual(await readAll(directory).then(({ sequences, damaged }) => [sequences, damaged]), [
      [1, 2, 3, 4, 5, 6, 7],
      0,
    ]);
    assert.deepEqual(errors, []);
  });

  it('count as written only when they are synced', async () => {
    let isBroken = true;
    const files = {
      ...nodeFileSystem,
      async sync(descriptor: number) {
        if (isBroken) throw Object.assign(new Error('EIO'), { code: 'EIO' });
        await nodeFileSystem.sync(descriptor);
      },
    };
    const { archive, directory } = await openArchive('sync', {}, { files });
    const group = groupOf(1);
    await assert.rejects(archive.write(group), { code: 'EIO' });
    isBroken = false;
    await archive.write(group);
    await archive.close();
    assert.deepEqual((await readAll(directory)).sequences, [1]);
  });

  it('join an abandoned attempt that is still running, and end it at the close', async () => {
    const { archive, directory } = await openArchive('joined');
    const group = Array.from({ length: 400 }, (_, i) => batchOf(i + 1));
    const attempts = [archive.write(group), archive.write(group)];
    await Promise.all(attempts);
    const rest = archive.write(group.map((batch) => ({ ...batch, sequence: batch.sequence + 400 })));
    const end = assert.rejects(rest, { name: 'AbortError' });
    await archive.close();
    await end;
    await assert.rejects(archive.write(groupOf(1)), { name: 'AbortError' });
    const { sequences } = await readAll(directory);
    assert.ok(sequences.length >= 400 && sequences.length < 800, String(sequences.length));
    assert.ok(sequences.every((sequence, i) => sequence === i + 1));
  });

  it('refuse only a batch that is too large for the binary format', async () => {
    const { archive, directory } = await openArchive('large');
    const large = { ...batchOf(2), rows: { count: 2 ** 21, keys: [], labels: {} } };
    await assert.rejects(archive.write([batchOf(1), large, batchOf(3)]), (error: unknown) => {
      assert.ok(error instanceof PermanentError);
      assert.deepEqual(error.refused, [large]);
      return true;
    });
    await archive.close();
    assert.deepEqual((await readAll(directory)).sequences, [1, 3]);
  });

  it('fail the start with the directory when they cannot be written', async () => {
    const options = { directory: join(process.execPath, 'batches') };
    await assert.rejects(
      startTestCollector({ plugins: [{ plugin: batchFiles, options }] }),
      (error: Error) => {
        assert.ok(String(error.cause).includes(process.execPath));
        return true;
      },
    );
  });
});
