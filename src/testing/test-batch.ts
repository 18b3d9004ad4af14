import type { Batch, Column, Metric, Row, Value } from '../model/batch.ts';
import { gapCode } from '../model/gap.ts';

/** What a test wants to say about a batch; all the rest has a default. */
export type TestBatchParts = Partial<Omit<Batch, 'rows' | 'columns'>> & {
  /** One entry a row. A value that only some rows have is a gap (`noSuchInstance`) in the others. */
  readonly rows?: readonly Partial<Row>[];
};

/**
 * A batch from rows as they read: a number becomes a gauge, a bigint a counter with all its bits, text, booleans and lists
 * columns of their kind. Without rows it has one, of one gauge `value`.
 */
export function createTestBatch({ rows = [{ values: { value: 1 } }], ...parts }: TestBatchParts = {}): Batch {
  const keysOf = (pick: (row: Partial<Row>) => object | undefined) => [
    ...new Set(rows.flatMap((row) => Object.keys(pick(row) ?? {}))),
  ];
  const labels = keysOf((row) => row.labels).map((field) => [field, rows.map((row) => row.labels?.[field])]);
  return {
    device: { name: 'router-1', ip: '192.0.2.1', port: 161 },
    tags: {},
    record: 'TEST-MIB::testEntry',
    plan: 'TEST-MIB::testEntry@60',
    generation: 1,
    sequence: 1,
    slotMs: 1_700_000_000_000,
    timeMs: 1_700_000_000_250,
    ...parts,
    rows: {
      count: rows.length,
      keys: rows.map(({ key }, i) => key ?? String(i + 1)),
      labels: Object.fromEntries(labels),
    },
    columns: keysOf((row) => row.values).map((field) =>
      makeColumn(
        field,
        rows.map((row) => row.values?.[field]),
      ),
    ),
  };
}

function makeColumn(field: string, values: readonly (Value | undefined)[]): Column {
  const hasGap = values.includes(undefined);
  const gaps = Uint8Array.from(values, (value) => (value === undefined ? gapCode('noSuchInstance') : 0));
  const base = { field, gaps: hasGap ? gaps : undefined };
  const sample = values.find((value) => value !== undefined);
  const measured = (metric: Metric) => ({ ...base, metric });
  switch (typeof sample) {
    case 'number':
      return { ...measured('gauge'), kind: 'number', values: Float64Array.from(values, Number) };
    case 'bigint':
      return { ...measured('counter'), kind: 'counter', words: Uint32Array.from(values.flatMap(wordsOf)) };
    case 'boolean':
      return { ...base, kind: 'boolean', values: Uint8Array.from(values, Number) };
    case 'string':
      return { ...base, kind: 'text', values: values as readonly (string | undefined)[] };
    default:
      return { ...base, kind: 'list', values: values as readonly (readonly string[] | undefined)[] };
  }
}

function wordsOf(value: Value | undefined): [number, number] {
  const bits = BigInt.asUintN(64, typeof value === 'bigint' ? value : 0n);
  return [Number(bits & 0xffff_ffffn), Number(bits >> 32n)];
}
