import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDiskFull } from '../../src/storage/disk-failure.ts';
import { type FileSystem, nodeFileSystem } from '../../src/storage/file-system.ts';
import { writeAll } from '../../src/storage/write-all.ts';

/** A disk that takes so many bytes with each call, and what it took. */
function createSlowDisk(amounts: readonly number[]) {
  const took: [position: number, text: string][] = [];
  const files: FileSystem = {
    ...nodeFileSystem,
    write(_, parts, position) {
      const amount = amounts[took.length] ?? 0;
      const bytes = Buffer.concat(parts).subarray(0, amount);
      took.push([position, bytes.toString()]);
      return bytes.length;
    },
  };
  return { files, took };
}

const parts = ['ab', 'cde', 'f'].map((text) => Buffer.from(text));

describe('writing all', () => {
  it('goes on where the disk stopped, also in the middle of a part', () => {
    const { files, took } = createSlowDisk([3, 1, 9]);
    writeAll(files, 1, parts, 100);
    assert.deepEqual(took, [
      [100, 'abc'],
      [103, 'd'],
      [104, 'ef'],
    ]);
  });

  it('fails as on a full disk when the disk takes nothing more', () => {
    const { files, took } = createSlowDisk([3]);
    assert.throws(() => writeAll(files, 1, parts, 0), isDiskFull);
    assert.equal(took.length, 2);
  });
});
