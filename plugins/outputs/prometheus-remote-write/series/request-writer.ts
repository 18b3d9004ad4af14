import type { Family, Label, TrackedBatch } from '../../../../src/output-kit/index.ts';

/** Writes one request: batches, their rows, and the samples of a row. */
export interface RequestWriter {
  /** `families` are those of the number columns. `sample` refers to them by index. */
  beginBatch(batch: TrackedBatch, families: readonly Family[]): void;
  /** `labels` are sorted, without empty ones. The same list while the labels of the row stay the same. */
  beginRow(labels: readonly Label[]): void;
  sample(column: number, value: number): void;
  /** A series with more labels than its row. Also sorted. */
  textSample(family: Family, labels: readonly Label[], value: number): void;
  finish(): { readonly body: Buffer; readonly plainBytes: number };
}

/** The staleness marker, which ends a series. Receivers recognise it by its bits. Every other NaN is written as the marker too. */
export const staleWords = { low: 0x00000002, high: 0x7ff00000 } as const;

/** `MetricType`, the same in both versions. */
export const metricTypes = { counter: 1, gauge: 2, info: 6, stateset: 7, text: 2 } as const;
