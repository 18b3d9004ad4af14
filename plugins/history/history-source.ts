import type { Batch } from '../../src/index.ts';
import type { Metric } from '../http-routes/service.ts';
import type { History } from './service.ts';

/** Where values over time come from. */
export interface HistorySource extends Pick<History, 'ask' | 'state'> {
  /** Throws a PermanentError that names the batches of former owners of their devices; the others are taken. */
  take(batches: readonly Batch[]): void;
  metrics(): readonly Metric[];
  close(): Promise<void>;
}
