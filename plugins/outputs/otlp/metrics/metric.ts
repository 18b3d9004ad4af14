import type { BooleanColumn, CounterColumn, NumberColumn } from '../../../../src/index.ts';
import type { Temporality } from '../counters/counter-times.ts';
import type { Attribute } from './attributes.ts';

/** One column of one batch, as OpenTelemetry sees it. Its points are read by row, so that none is an object. */
export interface Metric {
  readonly name: string;
  readonly unit: string;
  /** Undefined for a gauge. */
  readonly sum: Temporality | undefined;
  readonly timeMs: number;
  /** The rows that have a point. */
  readonly rows: readonly number[];
  /** By row; the same lists as long as the rows stay, so that an encoder can remember what it made of them. */
  readonly attributes: readonly (readonly Attribute[])[];
  /** Further attributes, by row: texts, which may be others in each poll. */
  readonly texts?: readonly (readonly Attribute[])[];
  /** By row: from when it counts; not-a-number where that is not known. */
  readonly startsMs?: Float64Array;
  /** By row; `one` is the value of texts, `none` says that the series have ended. */
  readonly values: NumberColumn | CounterColumn | BooleanColumn | 'one' | 'none';
}

/** All of one device that follows each other in a group. */
export interface DeviceMetrics {
  readonly resource: readonly Attribute[];
  readonly metrics: readonly Metric[];
}

/** The instrumentation that measured. */
export interface Scope {
  readonly name: string;
  readonly version: string;
}

/** `AggregationTemporality`. */
export const temporalityCodes = { delta: 1, cumulative: 2 } as const;
