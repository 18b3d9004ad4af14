import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Batch, Column } from '../../../src/model/batch.ts';
import { BatchDecoder } from '../../../src/model/batch-form/batch-decoder.ts';
import { BatchEncoder } from '../../../src/model/batch-form/batch-encoder.ts';
import { BatchFault } from '../../../src/model/batch-form/batch-fault.ts';
import { gapReasons } from '../../../src/model/gap.ts';
import { createTestBatch } from '../../../src/testing/index.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('\ud800', 'a\udc00b', 'ÿ', '日本', '__proto__', ''),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const word = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constantFrom(0, 1, 2 ** 32 - 1));
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.integer({ min: -1000, max: 1000 }).map((n) => n / 10),
  fc.constantFrom(Number.NaN, -0, 0, Infinity, -Infinity, 2 ** 52, 2 ** 53, -(2 ** 52), 5e-324, 1.005),
);

const batch = fc.integer({ min: 0, max: 9 }).chain((rows) => {
  const list = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: rows, maxLength: rows });
  const bytes = list(fc.integer({ min: 0, max: 255 })).map((values) => Uint8Array.from(values));
  const reasons = list(fc.nat(gapReasons.length - 1)).map((values) => Uint8Array.from(values));
  const values = fc.oneof(
    fc.record({
      kind: fc.constant('number' as const),
      values: list(number).map((n) => Float64Array.from(n)),
    }),
    fc.record({
      kind: fc.constant('counter' as const),
      words: list(fc.tuple(word, word)).map((pairs) => Uint32Array.from(pairs.flat())),
    }),
    fc.record({ kind: fc.constant('boolean' as const), values: bytes }),
    fc.record({ kind: fc.constant('text' as const), values: list(maybe(text)) }),
    fc.record({ kind: fc.constant('list' as const), values: list(maybe(fc.array(text, { maxLength: 3 }))) }),
  );
  const head = fc.record(
    { field: text, metric: fc.constantFrom('counter' as const, 'gauge' as const), unit: text },
    { requiredKeys: ['field'] },
  );
  const column = fc
    .tuple(head, values, maybe(reasons))
    .map(([own, more, gaps]): Column => ({ ...own, ...more, gaps }) as Column);
  const facts = {
    generation: fc.nat(),
    sequence: fc.maxSafeNat(),
    slotMs: fc.double(),
    timeMs: fc.maxSafeNat(),
  };
  const given = fc.record<Batch>({
    device: fc.record({ name: text, ip: text, port: fc.nat(65_535) }),
    tags: fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true }),
    record: text,
    plan: text,
    ...facts,
    rows: fc.record({
      count: fc.constant(rows),
      keys: list(text),
      labels: fc.dictionary(text, list(maybe(text)), { maxKeys: 3, noNullPrototype: true }),
    }),
    columns: fc.array(column, { maxLength: 6 }),
  });
  // With other facts, 0 stands for a start that is not known.
  const start = fc.option(fc.record({ startedMs: number.filter((ms) => ms !== 0) }), { nil: {} });
  const owner = fc.option(fc.record({ shard: fc.nat(1_023), epoch: fc.nat() }), { nil: {} });
  const event = fc.option(fc.record({ kind: fc.constant('event' as const), trapId: text }), { nil: {} });
  return fc.tuple(given, start, owner, event).map(
    ([each, own, owned, trap]): Batch => ({
      ...each,
      ...own,
      ...owned,
      ...trap,
      device: { ...each.device },
      rows: { ...each.rows },
    }),
  );
});

describe('the binary form of a batch', () => {
  it('decodes to the same batch, for any content', () => {
    const encoder = new BatchEncoder();
    const decoder = new BatchDecoder();
    fc.assert(
      fc.property(batch, (given) => {
        assert.deepStrictEqual(decoder.decode(encoder.encode(given)), given);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps what is known of a field, but its description', () => {
    const about = { names: new Map([[1, 'up']]), isTime: true, derived: 'rate', marksReset: true } as const;
    for (const facts of [about, { wrapsAt: 2 ** 64 }]) {
      const given = createTestBatch({ rows: [{ values: { a: 1 } }] });
      const columns = given.columns.map((column) => ({
        ...column,
        about: { ...facts, description: 'text' },
      }));
      const [column] = new BatchDecoder().decode(new BatchEncoder().encode({ ...given, columns })).columns;
      assert.deepEqual(column!.about, facts);
    }
  });

  it('keeps every bit of a NaN and of 64-bit counters', () => {
    const nans = new Float64Array(Uint32Array.of(1, 0x7ff80000, 0xdeadbeef, 0xfff00001).buffer);
    const words = Uint32Array.of(0xffffffff, 0xffffffff, 0, 0x80000000);
    const given: Batch = {
      ...createTestBatch({ rows: [{}, {}] }),
      columns: [
        { kind: 'number', field: 'n', values: nans },
        { kind: 'counter', field: 'c', words },
      ],
    };
    const [numbers, counters] = new BatchDecoder().decode(new BatchEncoder().encode(given)).columns;
    assert.ok(numbers?.kind === 'number' && counters?.kind === 'counter');
    assert.deepEqual(Buffer.from(numbers.values.buffer), Buffer.from(nans.buffer));
    assert.deepEqual(counters.words, words);
  });

  it('decodes or throws a BatchFault for any bytes, and allocates no memory for the sizes that they claim', () => {
    const encoder = new BatchEncoder();
    const wide = createTestBatch({
      rows: [
        { labels: { port: 'Gi0/1' }, values: { a: 1.5, b: 7n, c: true, d: 'x'.repeat(99), e: ['up'] } },
        {},
      ],
    });
    const whole = Buffer.from(encoder.encode(wide));
    const decoder = new BatchDecoder();
    const decodeOrFault = (bytes: Buffer) => {
      try {
        decoder.decode(bytes);
      } catch (error) {
        assert.ok(error instanceof BatchFault, String(error));
      }
    };
    const before = process.memoryUsage().arrayBuffers;
    for (let at = 0; at < whole.length; at++) {
      decodeOrFault(whole.subarray(0, at));
      for (const flip of [1, 0x80, 0xff]) {
        const flipped = Buffer.from(whole);
        flipped[at]! ^= flip;
        decodeOrFault(flipped);
      }
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 99 }), (bytes) => decodeOrFault(Buffer.from(bytes))));
    assert.ok(process.memoryUsage().arrayBuffers - before < 200e6);
  });

  it('rejects a batch that no reader would accept', () => {
    const rows = { count: 2 ** 21, keys: [], labels: {} };
    assert.throws(() => new BatchEncoder().encode({ ...createTestBatch(), rows }), BatchFault);
  });

  it('reads a column that is shorter than its batch as empty after its end', () => {
    const given = createTestBatch({ rows: [{ values: { a: 1, b: 2n, c: 't', d: ['l'] } }] });
    const longer = { ...given, rows: { count: 2, keys: ['1', '2'], labels: { port: ['x'] } } };
    const { rows, columns } = new BatchDecoder().decode(new BatchEncoder().encode(longer));
    assert.deepEqual(rows.labels, { port: ['x', undefined] });
    assert.deepEqual(
      columns.map((column) => ('words' in column ? [...column.words] : [...column.values])),
      [
        [1, 0],
        [2, 0, 0, 0],
        ['t', undefined],
        [['l'], undefined],
      ],
    );
  });

  it('encodes a batch that comes twice in a row once, and again after a failure in between', () => {
    let reads = 0;
    const given = createTestBatch({ rows: [{ values: { a: 1 } }] });
    const columns = given.columns.map((column) => ({
      ...column,
      get values() {
        reads++;
        return Float64Array.of(1);
      },
    })) as unknown as Batch['columns'];
    const counted: Batch = { ...given, columns };
    const encoder = new BatchEncoder();
    const first = Buffer.from(encoder.encode(counted));
    const readsOnce = reads;
    assert.ok(readsOnce > 0);
    assert.deepEqual(encoder.encode(counted), first);
    assert.equal(reads, readsOnce);
    const tooLarge = { ...given, rows: { count: 2 ** 21, keys: [], labels: {} } };
    assert.throws(() => encoder.encode(tooLarge), BatchFault);
    assert.throws(() => encoder.encode(tooLarge), BatchFault);
    assert.deepEqual(encoder.encode(counted), first);
    assert.deepEqual(
      encoder.encode({ ...counted, sequence: 2 }),
      new BatchEncoder().encode({ ...given, sequence: 2 }),
    );
  });

  it('shares tags, rows and texts between batches of one device, never between devices', () => {
    const encoder = new BatchEncoder();
    const decoder = new BatchDecoder();
    const given = createTestBatch({ tags: { site: 'a' }, rows: [{ values: { alias: 'uplink' } }] });
    const [first, second, third] = [
      { sequence: 1 },
      { sequence: 2 },
      { device: { ...given.device, port: 1 } },
    ].map((own) => decoder.decode(encoder.encode({ ...given, ...own })));
    assert.equal(first!.rows, second!.rows);
    assert.equal(first!.tags, second!.tags);
    assert.deepEqual(third!.rows, first!.rows);
    assert.notEqual(third!.rows, first!.rows);
    assert.ok(first!.columns[0]!.kind === 'text' && second!.columns[0]!.kind === 'text');
    assert.equal(first!.columns[0]!.values, second!.columns[0]!.values);
  });
});
