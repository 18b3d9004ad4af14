import type { BooleanColumn, CounterColumn, NumberColumn } from '../../../../src/index.ts';
import type { Temporality } from '../counters/counter-times.ts';
import type { Attribute } from './attributes.ts';

/** One column of a batch as a metric of OpenTelemetry. Its points are read by row, so that no point is an object. */
export interface Metric {
  readonly name: string;
  readonly unit: string;
  /** Undefined for a gauge. */
  readonly sum: Temporality | undefined;
  readonly timeMs: number;
  /** The rows with a point. */
  readonly rows: readonly number[];
  /** By row. The same lists while the rows stay the same, so that an encoder can reuse what it made of them. */
  readonly attributes: readonly (readonly Attribute[])[];
  /** Additional attributes by row: texts, which may change with each poll. */
  readonly texts?: readonly (readonly Attribute[])[];
  /** By row: when the counter started. NaN where that is not known. */
  readonly startsMs?: Float64Array;
  /** By row. `one` is the value of texts. `none` means that the series have ended. */
  readonly values: NumberColumn | CounterColumn | BooleanColumn | 'one' | 'none';
}

/** Successive metrics of one device in a group. */
export interface DeviceMetrics {
  readonly resource: readonly Attribute[];
  readonly metrics: readonly Metric[];
}

/** The instrumentation scope. */
export interface Scope {
  readonly name: string;
  readonly version: string;
}

/** `AggregationTemporality`. */
export const temporalityCodes = { delta: 1, cumulative: 2 } as const;
