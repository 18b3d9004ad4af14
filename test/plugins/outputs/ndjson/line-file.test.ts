import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { LineFile, type LineFileParts } from '../../../../plugins/outputs/ndjson/file/line-file.ts';
import { RotatedFiles } from '../../../../plugins/outputs/ndjson/file/rotated-files.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 0, 31, 12);

async function openInFolder(
  rotation: Partial<{ maxBytes: number; maxAgeMs: number; keep: number; gzip: boolean }> = {},
  before: Readonly<Record<string, string | Buffer>> = {},
  name = 'records.ndjson',
) {
  const folder = await mkdtemp(join(tmpdir(), 'waywiser-ndjson-'));
  for (const [other, text] of Object.entries(before)) await writeFile(join(folder, other), text);
  const clock = { nowMs: startMs };
  const warnings: string[] = [];
  const log = {
    warn: (_: object, text: string) => void warnings.push(text),
  } as unknown as LineFileParts['log'];
  const settings = {
    path: join(folder, name),
    fsync: true,
    rotation: { maxBytes: 0, maxAgeMs: 0, keep: 0, gzip: true, ...rotation },
  };
  const file = await LineFile.open(settings, { log, now: () => clock.nowMs }).catch(async (error) => {
    await rm(folder, { recursive: true });
    throw error;
  });
  return {
    folder,
    clock,
    warnings,
    async writeGroup(text: string) {
      await file.write(Buffer.from(text));
      await file.finishGroup();
    },
    /** The content of all files, by name, uncompressed. */
    async closeAndRead(): Promise<Record<string, string>> {
      await file.close();
      const names = (await readdir(folder)).sort();
      const entries = names.map(async (name) => {
        const bytes = await readFile(join(folder, name));
        return [name, (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()];
      });
      return Object.fromEntries(await Promise.all(entries));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function settleTidying(folder: string, count: number): Promise<void> {
  const isTidy = (names: readonly string[]) => names.filter((name) => name.endsWith('.gz')).length >= count;
  while (!isTidy(await readdir(folder))) await new Promise((done) => setTimeout(done, 5));
}

describe('LineFile', () => {
  it('is appended to, and not rotated by default', async () => {
    await using place = await openInFolder({}, { 'records.ndjson': '{"a":1}\n' });
    await place.writeGroup('{"a":2}\n');
    assert.deepEqual(await place.closeAndRead(), { 'records.ndjson': '{"a":1}\n{"a":2}\n' });
    assert.deepEqual(place.warnings, []);
  });

  it('is not opened again by an attempt that was abandoned before the close', async () => {
    await using place = await openInFolder();
    await place.writeGroup('{"a":1}\n');
    await place.closeAndRead();
    await assert.rejects(place.writeGroup('{"a":2}\n'), { name: 'AbortError' });
    assert.deepEqual(await place.closeAndRead(), { 'records.ndjson': '{"a":1}\n' });
  });

  it('rotates by size between groups and compresses rotated files', async () => {
    await using place = await openInFolder({ maxBytes: 10 });
    await place.writeGroup('123456\n');
    await place.writeGroup('7890\n');
    await settleTidying(place.folder, 1);
    await place.writeGroup('next\n');
    assert.deepEqual(await place.closeAndRead(), {
      'records-2026-01-31T12-00-00.000Z.ndjson.gz': '123456\n7890\n',
      'records.ndjson': 'next\n',
    });
  });

  it('rotates by age, and never makes an empty file', async () => {
    await using place = await openInFolder({ maxAgeMs: hourMs, gzip: false });
    place.clock.nowMs += 2 * hourMs;
    await place.writeGroup('');
    await place.writeGroup('old\n');
    await place.writeGroup('new\n');
    assert.deepEqual(await place.closeAndRead(), {
      'records-2026-01-31T14-00-00.000Z.ndjson': 'old\n',
      'records.ndjson': 'new\n',
    });
  });

  it('gives files rotated in the same millisecond different names, in order', async () => {
    await using place = await openInFolder({ maxBytes: 1, gzip: false });
    for (const line of ['1\n', '2\n', '3\n']) await place.writeGroup(line);
    assert.deepEqual(Object.values(await place.closeAndRead()), ['1\n', '2\n', '3\n']);
  });

  it('keeps its newest files and does not touch others', async () => {
    const others = { 'records-notes.ndjson': 'mine', 'other-2020-01-01T00-00-00.000Z.ndjson': 'mine' };
    await using place = await openInFolder({ maxBytes: 1, keep: 2 }, others);
    for (const line of ['1\n', '2\n', '3\n']) {
      await place.writeGroup(line);
      await settleTidying(place.folder, Math.min(2, Number(line)));
      place.clock.nowMs += 1000;
    }
    await place.writeGroup('');
    while (!(await readdir(place.folder)).some((name) => name.endsWith('02.000Z.ndjson.gz'))) {
      await new Promise((done) => setTimeout(done, 5));
    }
    assert.deepEqual(await place.closeAndRead(), {
      ...others,
      'records-2026-01-31T12-00-01.000Z.ndjson.gz': '2\n',
      'records-2026-01-31T12-00-02.000Z.ndjson.gz': '3\n',
      'records.ndjson': '',
    });
  });

  it('removes an incomplete line after a crash', async () => {
    const whole = '{"first":1}\n';
    const torn = `{"second":"${'x'.repeat(200_000)}"}`;
    for (const length of [0, 1, 5, 65_536, 131_072, torn.length]) {
      await using place = await openInFolder({}, { 'records.ndjson': whole + torn.slice(0, length) });
      await place.writeGroup('{"third":3}\n');
      assert.deepEqual(await place.closeAndRead(), { 'records.ndjson': `${whole}{"third":3}\n` });
      assert.equal(place.warnings.length, length === 0 ? 0 : 1);
    }
  });

  it('completes an interrupted compression at its start', async () => {
    const name = 'records-2026-01-30T00-00-00.000Z.ndjson';
    await using place = await openInFolder({}, { [name]: 'whole\n', [`${name}.gz.part`]: 'half' });
    await settleTidying(place.folder, 1);
    assert.deepEqual(await place.closeAndRead(), { [`${name}.gz`]: 'whole\n', 'records.ndjson': '' });
  });

  it('removes leftovers of a crash at its start, even without compression', async () => {
    const [first, second] = ['29', '30'].map((day) => `records-2026-01-${day}T00-00-00.000Z.ndjson`);
    const left = { [first!]: 'whole\n', [`${first}.gz`]: gzipSync('whole\n'), [second!]: 'plain\n' };
    await using place = await openInFolder({ gzip: false }, { ...left, [`${second}.gz.part`]: 'half' });
    assert.deepEqual(await place.closeAndRead(), {
      [`${first}.gz`]: 'whole\n',
      [second!]: 'plain\n',
      'records.ndjson': '',
    });
  });

  it('removes old files before it compresses, so that a full disk does not stay full', async () => {
    const folder = temporaryFolder();
    const [old, broken] = ['29', '30'].map((day) => `records-2026-01-${day}T00-00-00.000Z.ndjson`);
    await writeFile(join(folder, old!), 'old\n');
    await mkdir(join(folder, broken!));
    const rotated = new RotatedFiles(join(folder, 'records.ndjson'), { gzip: true, keep: 1 });
    await assert.rejects(rotated.tidy(new AbortController().signal));
    assert.deepEqual(await readdir(folder), [broken]);
  });

  it('fails immediately when a file cannot be written', async () => {
    const before = { deep: 'a file where a folder should be' };
    await assert.rejects(openInFolder({}, before, 'deep/records.ndjson'), /EEXIST|ENOTDIR/);
  });

  it('reports a full device at each write', async () => {
    const log = { warn() {} } as unknown as LineFileParts['log'];
    const rotation = { maxBytes: 1, maxAgeMs: 0, keep: 0, gzip: true };
    const openFile = ((_path, flags) => open('/dev/full', flags)) as typeof open;
    const folder = await mkdtemp(join(tmpdir(), 'waywiser-ndjson-'));
    const path = join(folder, 'records.ndjson');
    const file = await LineFile.open({ path, fsync: true, rotation }, { log, now: Date.now, openFile });
    await assert.rejects(file.write(Buffer.from('line\n')), { code: 'ENOSPC' });
    await assert.rejects(file.write(Buffer.from('line\n')), { code: 'ENOSPC' });
    await file.close();
    await rm(folder, { recursive: true });
  });
});
