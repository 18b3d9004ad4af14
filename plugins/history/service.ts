import { type Batch, type ServiceToken, serviceToken } from '../../src/index.ts';

/** What is asked of the history. Times are milliseconds since 1970. */
export interface HistoryQuestion {
  /** Names of devices. */
  readonly devices: readonly string[];
  readonly record: string;
  /** Keys of rows; all rows when absent. */
  readonly rows?: readonly string[] | undefined;
  /** Fields; when absent all fields, with the rates of counters instead of their readings. */
  readonly fields?: readonly string[] | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  /** The length of a span that gets one value. Without it the values are as they were polled, as far back as these are kept. */
  readonly stepMs?: number | undefined;
  /** How the values of a span become one. */
  readonly aggregate: Aggregate;
}

export type Aggregate = 'mean' | 'min' | 'max' | 'count';

/** Values over time: every series has one entry for each of `times`. */
export interface HistoryAnswer {
  readonly times: readonly number[];
  readonly series: readonly HistorySeries[];
  /** The part of the time whose values were made up; absent where none were. */
  readonly madeUp?: TimeSpan | undefined;
}

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface HistorySeries {
  readonly device: string;
  readonly record: string;
  /** The key of the row. */
  readonly row: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly field: string;
  readonly unit?: string | undefined;
  readonly metric?: string | undefined;
  /** Of a state: the name of each number. */
  readonly names?: readonly (readonly [number: number, name: string])[] | undefined;
  /** null where there is no value. */
  readonly values: readonly (number | null)[];
  readonly gaps: readonly HistoryGap[];
}

/** A time without values. `why` is a gap reason of batches, also `down` when the device was down, or `unpolled`: nothing was polled, and the device was not known to be down. */
export interface HistoryGap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly why: string;
}

/** What a tier holds. */
export interface HistoryTier {
  readonly tier: string;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly maxDays: number;
  /** The times of its oldest and its newest value; absent while it has none. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export interface HistoryState {
  readonly tiers: readonly HistoryTier[];
  /** Numbers that were taken since the start. */
  readonly values: number;
  /** Batches that the disk did not accept. */
  readonly lostBatches: number;
  /** Files that were removed because the disk was full. */
  readonly droppedFiles: number;
  readonly damagedFiles: readonly string[];
  /** Files that a newer version wrote. Their values are left out. */
  readonly newerFiles: readonly string[];
}

/** The numbers of the last weeks. */
export interface History {
  ask(question: HistoryQuestion, signal: AbortSignal): Promise<HistoryAnswer>;
  /**
   * Adds values that nobody polled, such as the past of a demonstration, the oldest first. Their time stays marked as made up. Without effect
   * where graphs are read from a server.
   */
  addMadeUp(batches: readonly Batch[]): void;
  readonly state: HistoryState;
}

export const historyToken: ServiceToken<History> = serviceToken<History>('history');
