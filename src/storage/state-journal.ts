import { join } from 'node:path';
import type { Logger } from '../kernel/logger.ts';
import type { CollectorFacts } from '../kernel/plugin.ts';
import { Journal, type JournalContent } from './journal.ts';

export interface StateJournalOptions {
  readonly collector: Pick<CollectorFacts, 'stateDirectory'>;
  readonly log: Logger;
  /** The plugin's folder in the state directory. */
  readonly folder: string;
  /** What the journal holds, in the plural: the name of its file, and the subject of what is logged. */
  readonly name: string;
  /** How long changes are gathered before they are written together; 200 by default. */
  readonly groupMs?: number;
}

/** Opens a plugin's journal in the state directory. Damage and failures to write are logged; close it at stop. */
export function openStateJournal(options: StateJournalOptions): {
  readonly journal: Journal;
  readonly values: JournalContent['values'];
} {
  const { collector, log, folder, name, groupMs = 200 } = options;
  const { journal, content } = Journal.open(join(collector.stateDirectory, folder, `${name}.journal`), {
    groupMs,
    onError: (error) => log.error({ error }, `The ${name} could not be stored.`),
  });
  if (content.damagedLines > 0) {
    log.warn({ lines: content.damagedLines }, `Stored ${name} were damaged; the rest was read.`);
  }
  return { journal, values: content.values };
}
