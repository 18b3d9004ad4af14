import { labelledMetric, oneMetric } from '../../src/http/index.ts';
import { type Batch, type Logger, PermanentError } from '../../src/index.ts';
import type { SliceTurns } from '../../src/timing/index.ts';
import type { TierLimits } from './history-settings.ts';
import type { HistorySource } from './history-source.ts';
import { HistoryStore } from './history-store.ts';
import { OwnerEpochs } from './owner-epochs.ts';
import { readHistory } from './reading/read-history.ts';
import type { HistoryState } from './service.ts';
import { type TierName, tierNames } from './tiers/tier-names.ts';

type Limits = Readonly<Record<TierName, TierLimits>>;
const dayMs = 86_400_000;

export interface DiskSettings {
  readonly directory: string;
  readonly limits: Limits;
  readonly flushMs: number;
  readonly log: Logger;
  readonly turns: SliceTurns;
}

/** The history in files of its own. */
export async function openDisk(settings: DiskSettings): Promise<HistorySource> {
  const store = await HistoryStore.open(settings);
  const owners = new OwnerEpochs();
  return {
    take(batches) {
      const fenced: Batch[] = [];
      const admitted = batches.filter((batch) => owners.admits(batch) || void fenced.push(batch));
      store.take(admitted);
      if (fenced.length > 0)
        throw new PermanentError('Other collectors had these devices.', { refused: [], fenced });
    },
    ask: (question, signal) => readHistory(store, question, signal),
    get state() {
      return describe(store, settings.limits);
    },
    metrics: () => listMetrics(describe(store, settings.limits)),
    close: () => store.close(),
  };
}

function describe(store: HistoryStore, limits: Limits): HistoryState {
  const { values, lostBatches, droppedFiles, damagedFiles, newerFiles } = store;
  const tiers = tierNames.map((tier) => {
    const { maxBytes, maxAgeMs } = limits[tier];
    return { tier, ...store.tier(tier), maxBytes, maxDays: maxAgeMs / dayMs };
  });
  return { tiers, values, lostBatches, droppedFiles, damagedFiles, newerFiles };
}

function listMetrics(state: HistoryState) {
  const { tiers, values, lostBatches, droppedFiles, damagedFiles, newerFiles } = state;
  const oldest = tiers.flatMap(({ tier, fromMs }) =>
    fromMs === undefined ? [] : [[tier, fromMs / 1000] as const],
  );
  return [
    oneMetric('counter', 'waywiser_history_values_total', 'Numbers that the history has taken.', values),
    oneMetric(
      'counter',
      'waywiser_history_lost_batches_total',
      'Batches that the disk did not accept, so that the history lost them.',
      lostBatches,
    ),
    oneMetric(
      'counter',
      'waywiser_history_dropped_files_total',
      'Files of the history that were removed because the disk was full.',
      droppedFiles,
    ),
    oneMetric(
      'gauge',
      'waywiser_history_damaged_files',
      'Files of the history in which damage was found since the start.',
      damagedFiles.length,
    ),
    oneMetric(
      'gauge',
      'waywiser_history_newer_files',
      'Files of the history that a newer version wrote, so that their values are left out.',
      newerFiles.length,
    ),
    labelledMetric(
      'gauge',
      'waywiser_history_bytes',
      'Space that the history takes on the disk, by tier.',
      'tier',
      tiers.map(({ tier, bytes }) => [tier, bytes] as const),
    ),
    labelledMetric(
      'gauge',
      'waywiser_history_oldest_timestamp_seconds',
      'The time of the oldest value of the history, by tier.',
      'tier',
      oldest,
    ),
  ];
}
