import { join } from 'node:path';
import type { Logger } from '../kernel/logger.ts';
import type { CollectorFacts } from '../kernel/plugin.ts';
import { Journal, type JournalContent } from './journal.ts';

export interface StateJournalOptions {
  readonly collector: Pick<CollectorFacts, 'stateDirectory'>;
  readonly log: Logger;
  /** The folder of the plugin in the state directory. */
  readonly folder: string;
  /** The name of the file, without its extension. */
  readonly name: string;
  /** What the journal contains, in the plural, for log lines. By default its name. */
  readonly contents?: string;
  /** How long changes are collected before they are written together. 200 by default. */
  readonly groupMs?: number;
}

/** Opens the journal of a plugin in the state directory. Damage and failed writes are logged. Close it when the plugin stops. */
export function openStateJournal(options: StateJournalOptions): {
  readonly journal: Journal;
  readonly values: JournalContent['values'];
} {
  const { collector, log, folder, name, contents = name, groupMs = 200 } = options;
  const { journal, content } = Journal.open(join(collector.stateDirectory, folder, `${name}.journal`), {
    groupMs,
    onError: (error) => log.error({ error }, `Writing the ${contents} to the state directory failed.`),
  });
  if (content.damagedLines > 0) {
    log.warn({ lines: content.damagedLines }, `Some stored ${contents} are damaged. The others were read.`);
  }
  return { journal, values: content.values };
}
