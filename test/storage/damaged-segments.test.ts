import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { nodeFileSystem } from '../../src/storage/file-system.ts';
import { frameBytes } from '../../src/storage/segments/frame.ts';
import { RecordLog } from '../../src/storage/segments/record-log.ts';
import { createHeader, headerBytes, segmentVersion } from '../../src/storage/segments/segment-header.ts';
import { isLong } from '../support/long-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

const openLog = (directory: string) =>
  RecordLog.open({
    directory,
    segmentBytes: 64 << 20,
    syncEveryMs: 60_000,
    files: nodeFileSystem,
    randomMarker: () => 0x6b8b4567,
    onError: (error) => assert.fail(String(error)),
  });

const everything = { records: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER, notBeforeMs: 0 };

/** Writes a closed log of one segment with `count` records. Returns where each of them ends. */
async function writeSegment(name: string, count: number, size: (i: number) => number) {
  const directory = join(folder, name);
  const log = await openLog(directory);
  const records = Array.from({ length: count }, (_, i) => Buffer.alloc(size(i), `record ${i} `));
  const ends: number[] = [];
  for (const record of records) {
    log.append(record, 1);
    ends.push(log.bytes);
  }
  await log.close();
  const [file] = readdirSync(directory).map((each) => join(directory, each));
  return { records, ends, file: file!, bytes: readFileSync(file!) };
}

const damagedDirectory = join(folder, 'damaged');

/** Writes the file as the only one of a queue. */
function writeDamaged(file: string, bytes: Buffer): void {
  rmSync(damagedDirectory, { recursive: true, force: true });
  nodeFileSystem.makeDirectory(damagedDirectory);
  writeFileSync(join(damagedDirectory, basename(file)), bytes);
}

async function readAll(file: string, bytes: Buffer) {
  writeDamaged(file, bytes);
  const log = await openLog(damagedDirectory);
  const { size } = log;
  const { items, damaged } = await log.read(everything, (record) => record.toString());
  log.confirm();
  const left = log.size;
  await log.close();
  return { size, items, damaged, left };
}

/** Every offset of a small segment; in the long run some offsets of a mebibyte. damage-series.test.ts checks all of those. */
const [records, bytesOf, step] = isLong
  ? [300, (i: number) => 3_400 + (i % 7), 397]
  : [5, (i: number) => 12 + 6 * i, 1];

describe('a segment', async () => {
  const whole = await writeSegment('whole', records, bytesOf);
  const texts = whole.records.map(String);

  it('cut at any offset returns every record before the cut, and counts the others exactly', async () => {
    for (let cut = headerBytes; cut <= whole.bytes.length; cut += step) {
      const intact = whole.ends.filter((end) => end <= cut).length;
      const { size, items, damaged, left } = await readAll(whole.file, whole.bytes.subarray(0, cut));
      assert.deepEqual(items, texts.slice(0, intact), `cut at ${cut}`);
      assert.deepEqual(
        { size, damaged, left },
        { size: records, damaged: records - intact, left: 0 },
        `cut at ${cut}`,
      );
    }
  });

  it('with any byte flipped returns every other record, and counts one', async () => {
    for (let at = 0; at < whole.bytes.length; at += step) {
      const flipped = Buffer.from(whole.bytes);
      flipped[at]! ^= 0xff;
      const hit = at < headerBytes ? -1 : whole.ends.findIndex((end) => at < end);
      const expected = texts.filter((_, i) => i !== hit);
      const { size, items, damaged } = await readAll(whole.file, flipped);
      assert.deepEqual(items, expected, `flipped at ${at}`);
      assert.deepEqual({ size, damaged }, { size: records, damaged: hit < 0 ? 0 : 1 }, `flipped at ${at}`);
    }
  });

  it('with missing or foreign bytes in the middle returns all intact records', async () => {
    const { bytes, file, ends, records } = await writeSegment('twelve', 12, (i) => 20 + 9 * i);
    const pieces = [bytes.subarray(0, ends[2]! + 5), bytes.subarray(ends[4]! + 3)] as const;
    for (const strange of [Buffer.alloc(0), Buffer.alloc(5_000, 7), bytes.subarray(300, 500)]) {
      const { items, damaged } = await readAll(file, Buffer.concat([pieces[0], strange, pieces[1]]));
      assert.deepEqual(items, [...records.slice(0, 3), ...records.slice(6)].map(String));
      assert.equal(damaged, 3);
    }
  });

  it('with missing bytes before or after the read position returns all intact records', async () => {
    const { bytes, file, ends, records } = await writeSegment('lost', 8, (i) => (i % 2 === 0 ? 170 : 29));
    // The size of a record of 29 bytes: the record before it then seems to end where that one did.
    const lost = frameBytes + 29;
    for (const delivered of records.keys()) {
      writeDamaged(file, bytes);
      const log = await openLog(damagedDirectory);
      await log.read({ ...everything, records: delivered }, String);
      log.confirm();
      await log.close();
      const before = readFileSync(join(damagedDirectory, basename(file)));
      for (let at = headerBytes; at + lost < ends[6]!; at += 29) {
        const after = Buffer.concat([before.subarray(0, at), before.subarray(at + lost)]);
        const intact = records.filter(
          (_, i) => i >= delivered && after.includes(bytes.subarray(ends[i - 1] ?? headerBytes, ends[i])),
        );
        const { items, damaged } = await readAll(file, after);
        assert.deepEqual(items, intact.map(String), `${delivered} delivered, lost at ${at}`);
        assert.equal(damaged, records.length - delivered - intact.length);
      }
    }
  });

  it('missing between two others is counted exactly', async () => {
    const directory = join(folder, 'three');
    const numbers = Array.from({ length: 30 }, (_, i) => i);
    const log = await RecordLog.open({
      directory,
      segmentBytes: 1_000,
      syncEveryMs: 60_000,
      files: nodeFileSystem,
      randomMarker: () => 99,
      onError: () => {},
    });
    for (const i of numbers) log.append(Buffer.from(`${i}`.padStart(100)), i);
    await log.close();
    const files = readdirSync(directory).sort();
    assert.ok(files.length >= 4, String(files));
    const [first, second, third] = files.map((name) => Number(name.slice(0, 16)));
    rmSync(join(directory, files[1]!));
    const again = await openLog(directory);
    const { items, damaged } = await again.read(everything, (record) => Number(record.toString()));
    assert.equal(damaged, third! - second!);
    assert.deepEqual(
      items,
      numbers.filter((i) => i + first! < second! || i + first! >= third!),
    );
    await again.close();
  });

  it('of a later version is not changed, and reported', async () => {
    const directory = join(folder, 'later');
    nodeFileSystem.makeDirectory(directory);
    const path = join(directory, basename(whole.file));
    const later = Buffer.from(createHeader(1));
    later.writeUInt32LE(segmentVersion + 1, 8);
    later.writeUInt32LE(crc32(later.subarray(0, 24)), 24);
    writeFileSync(path, Buffer.concat([later, whole.bytes.subarray(headerBytes)]));
    await assert.rejects(openLog(directory), { code: 'QUEUE_OF_LATER_VERSION' });
  });
});
