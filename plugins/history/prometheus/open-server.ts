import { oneMetric } from '../../../src/http/index.ts';
import type { EventBus, Logger } from '../../../src/index.ts';
import type { PosterOptions } from '../../../src/output-kit/index.ts';
import type { SliceTurns } from '../../../src/timing/index.ts';
import type { HistorySource } from '../history-source.ts';
import { NameBook, type NameBookSettings } from './name-book.ts';
import { createQueryClient } from './query-client.ts';
import { readServer } from './read-server.ts';

export interface ServerSettings {
  readonly login: PosterOptions;
  readonly names: NameBookSettings;
  readonly events: EventBus;
  readonly log: Logger;
  readonly turns: SliceTurns;
}

/** The history that a server with the query API of Prometheus keeps. Nothing is stored here. */
export function openServer({ login, names, events, log, turns }: ServerSettings): HistorySource {
  const client = createQueryClient(login, log);
  const book = new NameBook(names);
  const stopForgetting = events.on('device.removed', ({ device }) => book.forget(device.name));
  let questions = 0;
  let failures = 0;
  return {
    take(batches) {
      for (const batch of batches) book.take(batch);
    },
    async ask(question, signal) {
      questions++;
      try {
        return await readServer({ names: book, client, turns }, question, signal);
      } catch (error) {
        failures++;
        throw error;
      }
    },
    state: { tiers: [], values: 0, lostBatches: 0, droppedFiles: 0, damagedFiles: [], newerFiles: [] },
    metrics: () => [
      oneMetric(
        'counter',
        'waywiser_history_questions_total',
        'Questions about values over time that were put to the server.',
        questions,
      ),
      oneMetric(
        'counter',
        'waywiser_history_failed_questions_total',
        'Questions about values over time that had no answer.',
        failures,
      ),
    ],
    async close() {
      stopForgetting();
      client.close();
    },
  };
}
