import type { Batch, Row } from '../model/batch.ts';
import { buildColumns } from '../pipeline/batch-rows.ts';

/** The parts of a batch that a test sets; the others have defaults. */
export type TestBatchParts = Partial<Omit<Batch, 'rows' | 'columns'>> & {
  /** One entry per row. A value that only some rows have is a gap (`noSuchInstance`) in the others. */
  readonly rows?: readonly Partial<Row>[];
};

/**
 * A batch from rows: a number becomes a gauge, a bigint a counter with all its bits; text, booleans and lists become columns
 * of their kind. Without `rows` the batch has one row with the gauge `value`.
 */
export function createTestBatch({ rows = [{ values: { value: 1 } }], ...parts }: TestBatchParts = {}): Batch {
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
    ...buildColumns(rows),
  };
}
