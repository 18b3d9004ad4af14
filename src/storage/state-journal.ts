import { join } from 'node:path';
import type { Logger } from '../kernel/logger.ts';
import type { CollectorFacts } from '../kernel/plugin.ts';
import { Journal, type JournalContent } from './journal.ts';

export interface StateJournalOptions {
  readonly collector: Pick<CollectorFacts, 'stateDirectory'>;
  readonly log: Logger;
  /** The plugin's folder in the state directory. */
  readonly folder: string;
  /** The name of its file, without its ending. */
  readonly name: string;
  /** What it holds, in the plural, for what is logged: its name unless told otherwise. */
  readonly contents?: string;
  /** How long changes are gathered before they are written together; 200 by default. */
  readonly groupMs?: number;
}

/** Opens a plugin's journal in the state directory. Damage and failures to write are logged; close it at stop. */
export function openStateJournal(options: StateJournalOptions): {
  readonly journal: Journal;
  readonly values: JournalContent['values'];
} {
  const { collector, log, folder, name, contents = name, groupMs = 200 } = options;
  const { journal, content } = Journal.open(join(collector.stateDirectory, folder, `${name}.journal`), {
    groupMs,
    onError: (error) => log.error({ error }, `The ${contents} could not be stored.`),
  });
  if (content.damagedLines > 0) {
    log.warn({ lines: content.damagedLines }, `Stored ${contents} were damaged; the rest was read.`);
  }
  return { journal, values: content.values };
}
