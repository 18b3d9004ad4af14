import { join } from 'node:path';
import { defineOutput, Type } from '../../src/index.ts';
import { checkWritable } from '../../src/internal.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { historyRoutes } from './history-route.ts';
import { HistoryStore, type TierLimits } from './history-store.ts';
import { historyOptions } from './options.ts';
import { readHistory } from './reading/read-history.ts';
import { type History, historyToken } from './service.ts';
import { type TierName, tierNames } from './tiers/tier-names.ts';

export * from './service.ts';

const dayMs = 86_400_000;

export default defineOutput({
  name: 'history',
  events: false,
  summary: 'Keeps the numbers of the last weeks on the disk, for graphs without a database.',
  options: Type.Object(historyOptions),
  needs: { routes: httpRoutesToken },
  provides: historyToken,
  check: ({ collector }) => checkWritable(directoryOf(collector)),
  async open({ options, needs, log, collector }) {
    const limits = Object.fromEntries(
      tierNames.map((tier) => {
        const { max_bytes: maxBytes, max_days: maxDays } = options[tier];
        return [tier, { maxBytes, maxAgeMs: maxDays * dayMs }];
      }),
    ) as Record<TierName, TierLimits>;
    const store = await HistoryStore.open({
      directory: directoryOf(collector),
      limits,
      flushMs: options.flush_seconds * 1000,
      log,
    });
    const history: History = {
      ask: (question, signal) => readHistory(store, question, signal),
      get state() {
        return describe(store, limits);
      },
    };
    needs.routes.add(historyRoutes(history));
    return { write: (batches) => store.take(batches), close: () => store.close(), service: history };
  },
});

function describe(store: HistoryStore, limits: Readonly<Record<TierName, TierLimits>>): History['state'] {
  const { values, lostBatches, droppedFiles, damagedFiles } = store;
  const tiers = tierNames.map((tier) => {
    const { maxBytes, maxAgeMs } = limits[tier];
    return { tier, ...store.tier(tier), maxBytes, maxDays: maxAgeMs / dayMs };
  });
  return { tiers, values, lostBatches, droppedFiles, damagedFiles };
}

function directoryOf({ stateDirectory }: { readonly stateDirectory: string }): string {
  return join(stateDirectory, 'history');
}
