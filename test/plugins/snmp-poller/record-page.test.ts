import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cutPage } from '../../../plugins/snmp-poller/routes/record-page.ts';
import { showValue } from '../../../plugins/snmp-poller/routes/shown-row.ts';
import { createTestBatch } from '../../../src/testing/index.ts';

const makeRows = (count: number, values: Record<string, number | string>) =>
  Array.from({ length: count }, () => ({ values }));

describe('a page of records', () => {
  it('ends early when rows are large, and the next page continues', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field${i}`, i]));
    const long = { text: 'x'.repeat(1 << 16) };
    const batches = [
      createTestBatch({ record: 'A', rows: makeRows(60, many) }),
      createTestBatch({ record: 'B', rows: makeRows(20, long) }),
    ];
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = cutPage(batches, 1000, cursor);
      pages.push(page.records.map(({ record, rows }) => `${rows.length} of ${record}`));
      cursor = page.next;
    } while (cursor !== undefined);
    assert.deepEqual(pages, [['50 of A'], ['10 of A', '8 of B'], ['8 of B'], ['4 of B']]);
  });

  it('is empty after the last row', () => {
    const end = Buffer.from('v1 999').toString('base64url');
    const page = cutPage([createTestBatch()], 10, end);
    assert.deepEqual(page, { rows: 1, records: [] });
  });
});

it('shows values that JSON cannot hold as numbers as text', () => {
  assert.deepEqual([2n ** 64n - 1n, Number.NaN, Number.NEGATIVE_INFINITY, 1.5, true, ['a']].map(showValue), [
    '18446744073709551615',
    'NaN',
    '-Infinity',
    1.5,
    true,
    ['a'],
  ]);
});
