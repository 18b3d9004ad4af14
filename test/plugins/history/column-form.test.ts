import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ColumnPacker, unpackColumn } from '../../../plugins/history/chunk/column-form.ts';
import { readNumberRows, writeNumberRows } from '../../../plugins/history/chunk/number-rows.ts';
import { BatchFault } from '../../../src/index.ts';
import { ByteReader, ByteWriter } from '../../../src/model/index.ts';
import { seededRandom } from '../../../src/testing/index.ts';

const limit = 2 ** 50 - 1;

function write(values: readonly number[], length: number): Buffer {
  const out = new ByteWriter();
  writeNumberRows(out, Float64Array.from(values), length);
  return Buffer.from(out.view());
}

function read(bytes: Buffer, count: number, length: number): number[] {
  return [...readNumberRows(new ByteReader(bytes), count / length, length)];
}

describe('rows of numbers', () => {
  it('come back as they were', () => {
    const lists: (readonly [values: readonly number[], length: number])[] = [
      [[limit, -limit, limit, -limit, -limit, -limit], 2],
      [[0.125, 7.5, 0.125, 7.5, 0, 0], 2],
      [[1 / 3, -0, Number.MAX_VALUE, Number.MIN_VALUE], 2],
      [[5], 1],
    ];
    const random = seededRandom(7);
    for (let i = 0; i < 200; i++) {
      const length = 1 + Math.floor(6 * random());
      const rows = Array.from({ length: 1 + Math.floor(9 * random()) }, () =>
        Array.from({ length }, () => Math.floor(3 * random()) - 1),
      );
      lists.push([rows.flat(), length]);
    }
    for (const [values, length] of lists)
      assert.deepEqual(read(write(values, length), values.length, length), values);
  });

  it('take one entry while they repeat', () => {
    assert.equal(write(Array(48 * 6).fill(1e9), 6).length, 7);
    const alike = Array.from({ length: 48 }, () => [5, 1]).flat();
    assert.deepEqual([...write(alike, 2)], [16, 4 * 10 + 2, 47, 7]);
  });

  it('are read as an earlier version wrote them', () => {
    assert.deepEqual(read(Buffer.of(0, 2 * 10, 7, 2 * 6 + 1), 4, 2), [5, 1, 3, 3]);
  });

  it('are refused if they repeat beyond the end of their column', () => {
    assert.throws(() => read(Buffer.of(16, 3, 2), 4, 2), BatchFault);
  });
});

describe('a column', () => {
  it('can be read without the rows that nobody wants', () => {
    const random = seededRandom(5);
    const packer = new ColumnPacker();
    for (let round = 0; round < 300; round++) {
      const [rows, length] = [1 + Math.floor(8 * random()), 1 + Math.floor(5 * random())];
      const factor = [1, 0.125, 1 / 3][round % 3]!;
      const listOf = (next: () => number) => Float64Array.from({ length: rows * length }, next);
      const streams = [0, 1].map(() => listOf(() => factor * (Math.floor(3 * random()) - 1)));
      const gaps = round % 2 === 0 ? undefined : Uint8Array.from(listOf(() => Math.floor(2 * random()) * 7));
      const packed = packer.pack('field', { streams, gaps }, length);
      const wanted = Array.from({ length: rows }, (_, row) => row).filter(() => random() < 0.4);
      const pick = <List extends Uint8Array | Float64Array>(list: List) =>
        wanted.flatMap((row) => [...list.subarray(row * length, (row + 1) * length)]);
      const found = unpackColumn(packed, rows, length, 2, wanted);
      assert.deepEqual(found.streams.map(pickAll), streams.map(pick));
      assert.deepEqual(found.gaps && pickAll(found.gaps), gaps && pick(gaps));
    }
  });
});

function pickAll(list: Uint8Array | Float64Array): number[] {
  return [...list];
}

describe('ColumnPacker', () => {
  it('seldom tries what it could not shorten, and returns to what it can', () => {
    const random = seededRandom(3);
    const columnOf = (next: () => number) => ({
      streams: [Float64Array.from({ length: 40 }, next)],
      gaps: undefined,
    });
    const packer = new ColumnPacker();
    const isDeflated = (next: () => number) => {
      const column = columnOf(next);
      const packed = packer.pack('record field', column, 10);
      assert.deepEqual(unpackColumn(packed, 4, 10, 1), column);
      return packed[0] === 1;
    };
    const noise = () => Math.floor(random() * 2 ** 45);
    for (let i = 0; i < 100; i++) assert.ok(!isDeflated(noise));
    let at = 0;
    const pattern = () => (at++ % 7) * 2 ** 45;
    const results = Array.from({ length: 40 }, () => isDeflated(pattern));
    const first = results.indexOf(true);
    assert.ok(first > 0 && first <= 16, String(first));
    assert.ok(results.slice(first).every(Boolean));
    assert.ok(packer.pack('another', columnOf(pattern), 10)[0] === 1);
  });
});
