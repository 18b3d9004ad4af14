import type { Logger } from '../../src/index.ts';
import type { FileSystem } from '../../src/storage/index.ts';
import type { SliceTurns } from '../../src/timing/index.ts';
import type { TierName } from './tiers/tier-names.ts';

export interface TierLimits {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

export interface HistorySettings {
  /** Only this store may write there. */
  readonly directory: string;
  readonly limits: Readonly<Record<TierName, TierLimits>>;
  /** What a process that ends without a stop loses at most. */
  readonly flushMs: number;
  readonly log: Logger;
  readonly files?: FileSystem;
  /** With other work of this history. */
  readonly turns?: SliceTurns;
  /** Wall clock, milliseconds since 1970. */
  readonly now?: () => number;
  /** At this size the recent polls are sorted, even before an hour is over. */
  readonly maxRecentBytes?: number;
  /** So much waits in memory for a disk that accepts nothing. Later batches are lost and counted. */
  readonly maxPendingBytes?: number;
}
