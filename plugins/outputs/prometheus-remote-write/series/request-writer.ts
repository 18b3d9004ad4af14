import type { Family, Label, TrackedBatch } from '../../../../src/output-kit/index.ts';

/** Writes one request; told of batches, their rows, and in a row of its samples. */
export interface RequestWriter {
  /** The names of the batch's number columns, by which `sample` names them. */
  beginBatch(batch: TrackedBatch, families: readonly Family[]): void;
  /** `labels` are sorted, without empty ones; the same list as long as the row's labels stay. */
  beginRow(labels: readonly Label[]): void;
  sample(column: number, value: number): void;
  /** A series that has more labels than its row; sorted too. */
  textSample(family: Family, labels: readonly Label[], value: number): void;
  finish(): { readonly body: Buffer; readonly plainBytes: number };
}

/**
 * What says that a series has ended: the receiver knows it by its bits, and every other not-a-number is written as it too.
 */
export const staleWords = { low: 0x00000002, high: 0x7ff00000 } as const;

/** `MetricType`, the same in both versions. */
export const metricTypes = { counter: 1, gauge: 2, info: 6, stateset: 7 } as const;
