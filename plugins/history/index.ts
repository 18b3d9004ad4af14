import { join } from 'node:path';
import {
  defineErrors,
  defineOutput,
  type EventBus,
  type Logger,
  type Static,
  Type,
} from '../../src/index.ts';
import { checkWritable } from '../../src/storage/index.ts';
import { SliceTurns } from '../../src/timing/index.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { historyErrors } from './errors.ts';
import { historyRoutes } from './history-route.ts';
import type { HistorySource } from './history-source.ts';
import { MadeUpTime } from './made-up-time.ts';
import { openDisk } from './open-disk.ts';
import { historyOptions } from './options.ts';
import { openServer } from './prometheus/open-server.ts';
import { QuestionQueue } from './question-queue.ts';
import { askHealth, explainHoles } from './reading/explain-holes.ts';
import { type History, type HistoryAnswer, type HistoryQuestion, historyToken } from './service.ts';
import { tierNames } from './tiers/tier-names.ts';

export * from './service.ts';

const failure = defineErrors(historyErrors);
const dayMs = 86_400_000;
const optionsSchema = Type.Object(historyOptions);

export default defineOutput({
  name: 'history',
  events: false,
  summary: 'Keeps the numbers of the last weeks on the disk, for graphs without a database.',
  options: optionsSchema,
  needs: { routes: httpRoutesToken },
  provides: historyToken,
  check: ({ options, collector }) =>
    options.from === 'disk' ? checkWritable(directoryOf(collector)) : void serverUrl(options),
  async open({ options, needs, events, log, collector }) {
    const turns = new SliceTurns();
    const questions = new QuestionQueue();
    const source = await openSource(options, directoryOf(collector), { events, log, turns });
    const isDisk = options.from === 'disk';
    const madeUp = isDisk ? new MadeUpTime(directoryOf(collector)) : undefined;
    const answer = async (question: HistoryQuestion, signal: AbortSignal): Promise<HistoryAnswer> => {
      const found = await source.ask(question, signal);
      const health = askHealth(question, found);
      const explained =
        health === undefined
          ? found
          : await explainHoles(question, found, await source.ask(health, signal), turns);
      const span = madeUp?.within(question);
      return span === undefined ? explained : { ...explained, madeUp: span };
    };
    const history: History = {
      ask: (question, signal) => questions.run(() => answer(question, signal), signal),
      addMadeUp(batches) {
        madeUp?.extend(batches);
        if (isDisk) source.take(batches);
      },
      get state() {
        return source.state;
      },
    };
    needs.routes.add(historyRoutes(history, turns, !isDisk));
    needs.routes.addMetrics(() => source.metrics());
    return { write: (batches) => source.take(batches), close: () => source.close(), service: history };
  },
});

function openSource(
  options: Static<typeof optionsSchema>,
  directory: string,
  { events, log, turns }: { readonly events: EventBus; readonly log: Logger; readonly turns: SliceTurns },
): HistorySource | Promise<HistorySource> {
  if (options.from === 'prometheus') {
    const { prefix, naming, state_sets: stateSets } = options;
    const login = { ...options, url: serverUrl(options) };
    return openServer({ login, names: { prefix, naming, stateSets }, events, log, turns });
  }
  const tiers = tierNames.map((tier) => {
    const { max_bytes: maxBytes, max_days: maxDays } = options[tier];
    return [tier, { maxBytes, maxAgeMs: maxDays * dayMs }] as const;
  });
  const limits = Object.fromEntries(tiers) as Parameters<typeof openDisk>[0]['limits'];
  return openDisk({ directory, limits, flushMs: options.flush_seconds * 1000, log, turns });
}

function serverUrl({ url }: { readonly url?: string | undefined }): string {
  if (url === undefined) throw failure('HISTORY_URL_MISSING', { plugin: 'history' });
  return url;
}

function directoryOf({ stateDirectory }: { readonly stateDirectory: string }): string {
  return join(stateDirectory, 'history');
}
