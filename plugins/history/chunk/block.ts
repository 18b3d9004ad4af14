import type { Metric } from '../../../src/index.ts';

/** What a block says about one of its columns. */
export interface ColumnHead {
  readonly field: string;
  readonly metric?: Metric | undefined;
  readonly unit?: string | undefined;
  /** Of a state: the name of each number. */
  readonly names?: readonly (readonly [number: number, name: string])[] | undefined;
  /** Of a counter or its rate: where the counter begins again; see `ColumnFacts`. */
  readonly wrapsAt?: number | undefined;
  /** Whether a change means that the counters of the row were reset. */
  readonly marksReset?: boolean | undefined;
}

/** The rows and columns of a record of a device, without their values. */
export interface Shape {
  readonly device: string;
  readonly record: string;
  readonly plan: string;
  /** 0 when the source has no fixed interval. */
  readonly intervalMs: number;
  readonly keys: readonly string[];
  readonly labels: Readonly<Record<string, readonly (string | undefined)[]>>;
  readonly columns: readonly ColumnHead[];
}

/** Several times of one record. All its columns share the times. */
export interface BlockHead {
  readonly shape: Shape;
  /** Milliseconds since 1970, ascending. In tiers that are not as polled, each is the start of a span of time. */
  readonly times: Float64Array;
  /** For each time: when the device's agent started; 0 when it is not known. */
  readonly started: Float64Array;
}

/** The numbers of one column: those of a row follow each other in time. */
export interface ColumnValues {
  /** As polled there is one list. In the other tiers there are four: count, minimum, mean, maximum. */
  readonly streams: readonly Float64Array[];
  /** Why values are missing, by gap code; undefined when none is. */
  readonly gaps: Uint8Array | undefined;
}

/** The gap code of a row that the record did not have at that time. Greater than every gap code of a batch. */
export const noRow = 255;

/** The lists of `ColumnValues.streams` of the tiers that are not as polled. */
export const stream = { count: 0, minimum: 1, mean: 2, maximum: 3 } as const;
export const streamCount = 4;
