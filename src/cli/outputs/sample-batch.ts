import type { Batch } from '../../model/batch.ts';

/** One row of one object, with a counter, a number and a text: nobody can take it for a measurement. */
export function createSampleBatch(instance: string, nowMs: number): Batch {
  const rows = { count: 1, keys: ['1'], labels: { 'test.index': ['1'] } };
  return {
    device: { name: 'waywiser-test', ip: 'localhost', port: 0 },
    tags: { test: 'true' },
    record: 'waywiser::test',
    plan: 'waywiser::test',
    generation: 0,
    sequence: 1,
    slotMs: nowMs,
    timeMs: nowMs,
    rows,
    columns: [
      { field: 'test.counter', kind: 'counter', metric: 'counter', words: Uint32Array.of(1, 0) },
      { field: 'test.number', kind: 'number', metric: 'gauge', values: Float64Array.of(1.5) },
      { field: 'test.text', kind: 'text', values: [`a test from ${instance}`] },
    ],
  };
}
