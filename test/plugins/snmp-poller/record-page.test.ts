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

  it('shows every row that stays once, when rows and records come and go between two pages', () => {
    const batch = (record: string, keys: readonly string[]) =>
      createTestBatch({ record, rows: keys.map((key) => ({ key, values: { value: 1 } })) });
    const before = [batch('A', ['port 1', 'port 2', 'port 10']), batch('B', ['1', '2'])];
    const changes = [
      [batch('A', ['port 10', 'port 3']), batch('B', ['1', '2'])],
      [batch('B', ['2', '1'])],
      [batch('AA', ['0']), batch('B', ['0', '2'])],
    ];
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page === 0 || cursor !== undefined; page++) {
      const { records, next } = cutPage(page === 0 ? before : changes[Math.min(page, 3) - 1]!, 2, cursor);
      for (const { record, rows } of records) seen.push(...rows.map(({ key }) => `${record} ${key}`));
      cursor = next;
    }
    assert.deepEqual(seen, ['A port 1', 'A port 2', 'A port 3', 'A port 10', 'B 1', 'B 2']);
  });

  it('of many rows does not sort them all, nor those of later records, and all pages have their order', () => {
    const count = 20_000;
    let reads = 0;
    const batch = (record: string) => {
      const keys = Array.from({ length: count }, (_, row) => `port ${(row * 7_919) % count}`);
      const given = createTestBatch({ record, rows: keys.map((key) => ({ key, values: { value: 1 } })) });
      const counted = new Proxy(given.rows.keys, {
        get(target, name, receiver) {
          if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
          return Reflect.get(target, name, receiver);
        },
      });
      return { ...given, rows: { ...given.rows, keys: counted } };
    };
    const batches = [batch('A'), batch('B')];
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 3; page++) {
      reads = 0;
      const { records, next } = cutPage(batches, 200, cursor);
      seen.push(...records.flatMap(({ rows }) => rows.map(({ key }) => key)));
      // A sort reads each of them some 30 times.
      assert.ok(reads < 10 * count, `${reads} keys were read`);
      cursor = next;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 600 }, (_, i) => `port ${i}`),
    );
  });

  it('is empty after the last row', () => {
    const first = cutPage([createTestBatch({ rows: makeRows(2, { value: 1 }) })], 1, undefined);
    const page = cutPage([createTestBatch({ record: 'A', rows: [] })], 10, first.next);
    assert.deepEqual(page, { rows: 0, records: [] });
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
