import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Batch, gapCode, rowsOf } from '../../../src/index.ts';
import { LineRenderer } from '../../../src/output-kit/lines/line-renderer.ts';
import { createTestBatch } from '../../../src/testing/index.ts';

const render = (batches: readonly Batch[], { nested = false, gaps = false } = {}) =>
  Buffer.concat(new LineRenderer({ nested, gaps }).render(batches)).toString();
const linesOf = (text: string) => text.split('\n').slice(0, -1);
const parse = (text: string) => linesOf(text).map((line) => JSON.parse(line));

/** Parses numbers beyond 2^53 as bigints. */
const parseExactly = (line: string) =>
  JSON.parse(
    line.replace(/(?<=[:[,])\d{16,}(?=[,\]}])/g, (digits) =>
      Number.isSafeInteger(Number(digits)) ? digits : `"\\u0000${digits}"`,
    ),
    (_, value) => (/^\0\d{16,}$/.test(value) ? BigInt(value.slice(1)) : value),
  );

describe('LineRenderer', () => {
  it('writes everything in a batch', () => {
    const batch = createTestBatch({
      tags: { site: 'berlin' },
      slotMs: Date.UTC(2026, 0, 31, 12),
      timeMs: Date.UTC(2026, 0, 31, 12, 0, 0, 212),
      rows: [
        { key: '7', labels: { 'netif.index': '7' }, values: { 'netif.name': 'eth7', up: true, level: -1.5 } },
      ],
    });
    assert.deepEqual(parse(render([batch])), [
      {
        device: { name: 'router-1', ip: '192.0.2.1', port: 161 },
        tags: { site: 'berlin' },
        record: 'TEST-MIB::testEntry',
        plan: 'TEST-MIB::testEntry@60',
        generation: 1,
        sequence: 1,
        slot: '2026-01-31T12:00:00.000Z',
        time: '2026-01-31T12:00:00.212Z',
        key: '7',
        labels: { 'netif.index': '7' },
        values: { 'netif.name': 'eth7', up: true, level: -1.5 },
      },
    ]);
  });

  it('writes the notification that a batch is, or was polled for, after the plan', () => {
    const text = render([createTestBatch({ kind: 'event', trapId: '01KB' })]);
    assert.match(String(text), /"plan":"TEST-MIB::testEntry@60","trap_id":"01KB","generation":1,/);
  });

  it('writes every digit of a 64-bit counter', () => {
    const counters = [0n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n];
    const text = render([createTestBatch({ rows: counters.map((counter) => ({ values: { counter } })) })]);
    assert.deepEqual(
      linesOf(text).map((line) => /"counter":(\d+)\}/.exec(line)?.[1]),
      counters.map(String),
    );
  });

  it('writes NaN and the infinities as null', () => {
    const rows = [Number.NaN, Number.POSITIVE_INFINITY, -0].map((value) => ({ values: { value } }));
    assert.deepEqual(
      parse(render([createTestBatch({ rows })])).map(({ values }) => values.value),
      [null, null, 0],
    );
  });

  it('omits missing values, and lists them by reason on request', () => {
    const batch = createTestBatch({ rows: [{ values: { a: 1, b: 'x' } }, { values: { b: 'y' } }, {}] });
    assert.deepEqual(
      parse(render([batch], { gaps: true })).map(({ values, gaps }) => ({ values, gaps })),
      [
        { values: { a: 1, b: 'x' }, gaps: {} },
        { values: { b: 'y' }, gaps: { noSuchInstance: ['a'] } },
        { values: {}, gaps: { noSuchInstance: ['a', 'b'] } },
      ],
    );
    assert.ok(parse(render([batch])).every((line) => !('gaps' in line)));
  });

  it('distinguishes every reason', () => {
    const column = {
      kind: 'number',
      field: 'a',
      values: new Float64Array(2),
      gaps: Uint8Array.of(gapCode('timeout'), gapCode('decode')),
    } as const;
    const batch = { ...createTestBatch({ rows: [{}, {}] }), columns: [column] };
    assert.deepEqual(
      parse(render([batch], { gaps: true })).map(({ gaps }) => gaps),
      [{ timeout: ['a'] }, { decode: ['a'] }],
    );
  });

  it('nests fields and labels by their dots, without empty objects', () => {
    const batch = createTestBatch({
      rows: [
        { labels: { 'netif.index': '1' }, values: { 'netif.bytes.in': 1, 'netif.name': 'a', plain: 2 } },
        { labels: {}, values: { plain: 3 } },
      ],
    });
    assert.deepEqual(
      parse(render([batch], { nested: true })).map(({ labels, values }) => ({ labels, values })),
      [
        { labels: { netif: { index: '1' } }, values: { netif: { bytes: { in: 1 }, name: 'a' }, plain: 2 } },
        { labels: {}, values: { plain: 3 } },
      ],
    );
  });

  it('keeps a field that is the beginning of another, in any order', () => {
    for (const values of [
      { a: 1, 'a.b': 2, 'a.b.c': 3, 'x.y.z': 4, 'x.y': 5 },
      { 'x.y': 5, 'x.y.z': 4, 'a.b.c': 3, 'a.b': 2, a: 1 },
    ]) {
      const [line] = parse(render([createTestBatch({ rows: [{ values }] })], { nested: true }));
      assert.deepEqual(line.values, { a: 1, 'a.b': 2, 'a.b.c': 3, x: { y: 5, 'y.z': 4 } });
    }
  });

  it('writes any text of a device as text, one document per line', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u0000\u001b[2J\r\n', '</script>', '"},{"', '\u2028', '\\', '__proto__', 'é\uFFFD'),
    );
    const value = fc.oneof(hostile, fc.boolean(), fc.integer(), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
    fc.assert(
      fc.property(hostile, hostile, hostile, value, (name, tag, label, wanted) => {
        const batch = createTestBatch({
          device: { name, ip: '::1', port: 161 },
          tags: { tag },
          rows: [{ key: label, labels: { label }, values: { wanted } }],
        });
        const lines = linesOf(render([batch]));
        assert.equal(lines.length, 1);
        const line = parseExactly(lines[0]!);
        assert.deepEqual(
          { ...line.labels, ...line.values, key: line.key, name: line.device.name, tags: line.tags },
          { label, wanted: [...rowsOf(batch)][0]!.values['wanted'], key: label, name, tags: { tag } },
        );
      }),
      { numRuns: 300 },
    );
  });

  it('writes an event as any other batch, and keeps nothing of it', () => {
    const rows = [
      {
        key: 'a',
        labels: { 'netif.name': 'é"1', 'netif.index': '7' },
        values: { 'trap.kind': 'trap', up: false },
      },
      { key: 'a.2', labels: { 'netif.index': '8' }, values: { 'trap.kind': 'trap', up: true } },
    ];
    for (const nested of [false, true]) {
      const batch = createTestBatch({ trapId: 'a', rows });
      assert.equal(render([{ ...batch, kind: 'event' }], { nested }), render([batch], { nested }));
    }
  });

  it('writes each record by its own fields, whatever came before', () => {
    const renderer = new LineRenderer({ nested: false, gaps: false });
    for (const fields of [['a', 'b'], ['a'], ['b', 'a'], ['a', 'b']]) {
      const labels = Object.fromEntries(fields.map((field) => [field, `is ${field}`]));
      const batch = createTestBatch({ record: 'A::b', rows: [{ labels, values: { ...labels, c: 1 } }] });
      const [line] = parse(Buffer.concat(renderer.render([batch])).toString());
      assert.deepEqual(line.labels, labels);
      assert.deepEqual(line.values, { ...labels, c: 1 });
    }
  });

  it('writes times as JavaScript does', () => {
    const ms = fc.oneof(
      fc.integer({ min: 0, max: 4_102_444_800_000 }),
      fc.double({ min: 0, max: 1e12, noNaN: true }),
      fc.constantFrom(0, 999, 1000, 8.64e15, 253_402_300_799_999),
    );
    fc.assert(
      fc.property(ms, ms, (slotMs, timeMs) => {
        const [line] = parse(render([createTestBatch({ slotMs, timeMs, rows: [{}] })]));
        assert.equal(line.slot, new Date(slotMs).toISOString());
        assert.equal(line.time, new Date(timeMs).toISOString());
      }),
      { numRuns: 300 },
    );
  });

  it('writes a name of 64 KiB completely', () => {
    const name = '"\n\u0000\u{1F600}'.repeat(1 << 13);
    const device = { name, ip: '192.0.2.1', port: 161 };
    const rows = [{ key: name, labels: { name }, values: { name } }];
    const [line] = parse(render([createTestBatch({ device, rows })]));
    assert.ok(
      [line.device.name, line.key, line.labels.name, line.values.name].every((text) => text === name),
    );
  });

  it('stays valid when a text has a lone surrogate', () => {
    const text = render([createTestBatch({ rows: [{ values: { text: 'a\ud800b' } }] })]);
    assert.equal(parse(text)[0].values.text, 'a\ud800b');
  });

  it('follows changing rows, and columns that change their order', () => {
    const renderer = new LineRenderer({ nested: false, gaps: false });
    const first = createTestBatch({ rows: [{ key: '1', values: { a: 1, b: 2 } }] });
    const reordered = { ...first, columns: first.columns.toReversed() };
    const moved = { ...first, rows: { count: 1, keys: ['9'], labels: {} } };
    const text = Buffer.concat(renderer.render([first, reordered, moved])).toString();
    assert.deepEqual(
      parse(text).map(({ key, values }) => [key, Object.keys(values).join(), values.a]),
      [
        ['1', 'a,b', 1],
        ['1', 'b,a', 1],
        ['9', 'a,b', 1],
      ],
    );
  });
});
