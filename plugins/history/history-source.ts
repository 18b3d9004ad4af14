import type { Batch } from '../../src/index.ts';
import type { Metric } from '../http-routes/service.ts';
import type { History } from './service.ts';

/** Where values over time come from. */
export interface HistorySource extends Pick<History, 'ask' | 'state'> {
  take(batches: readonly Batch[]): void;
  metrics(): readonly Metric[];
  close(): Promise<void>;
}
