import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Column, gapAt, rowsOf, valueAt } from '../../src/model/batch.ts';
import { gapCode, gapReasons } from '../../src/model/gap.ts';
import { createTestBatch } from '../../src/testing/index.ts';

describe('batch values', () => {
  it('keep all 64 bits of a counter, as a number where exact and else as a bigint', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (counter) => {
        const words = Uint32Array.of(0, 0, Number(counter & 0xffff_ffffn), Number(counter >> 32n));
        const value = valueAt({ kind: 'counter', field: 'c', words }, 1);
        assert.equal(typeof value, counter <= BigInt(Number.MAX_SAFE_INTEGER) ? 'number' : 'bigint');
        assert.equal(BigInt(value as number | bigint), counter);
      }),
    );
  });

  it('are undefined where there is a gap, with the reason', () => {
    const gaps = Uint8Array.from(gapReasons, gapCode);
    const column: Column = { kind: 'number', field: 'n', values: new Float64Array(gapReasons.length), gaps };
    assert.deepEqual(
      gapReasons.map((_, row) => gapAt(column, row) ?? 'none'),
      [...gapReasons],
    );
    assert.deepEqual(
      gapReasons.map((_, row) => valueAt(column, row)).filter((v) => v !== undefined),
      [0],
    );
  });

  it('read as rows without the labels and values that are missing', () => {
    const rows = [
      { key: 'a', labels: { port: '1' }, values: { up: true } },
      { key: 'b', labels: {}, values: {} },
    ];
    assert.deepEqual([...rowsOf(createTestBatch({ rows }))], rows);
    assert.deepEqual([...rowsOf(createTestBatch({ rows: [] }))], []);
  });
});
