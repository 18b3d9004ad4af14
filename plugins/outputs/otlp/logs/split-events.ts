import { type Batch, type OutputWriter, PermanentError } from '../../../../src/index.ts';

type Writer = OutputWriter['write'];

/**
 * Writes events with one writer and all other batches with another one. When a group is tried again, events that have arrived are not
 * sent again.
 */
export function splitEvents(writeEvents: Writer, writeOthers: Writer): Writer {
  let arrived = '';
  let refusals: PermanentError[] = [];
  const attempt = async (write: () => Promise<void> | void) => {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      refusals.push(error);
    }
  };
  return async (batches, context) => {
    const events = batches.filter(({ kind }) => kind === 'event');
    if (events.length === 0) return writeOthers(batches, context);
    const name = nameOf(events);
    if (name !== arrived) {
      refusals = [];
      await attempt(() => writeEvents(events, context));
      arrived = name;
    }
    const others = batches.filter(({ kind }) => kind !== 'event');
    if (others.length > 0) await attempt(() => writeOthers(others, context));
    arrived = '';
    const [first] = refusals;
    if (first === undefined) return;
    throw new PermanentError(first.message, {
      refused: refusals.flatMap(({ refused }) => refused ?? []),
      refusedValues: refusals.reduce((sum, { refusedValues }) => sum + refusedValues, 0),
    });
  };
}

/** A queue on the disk may read the same batches again. */
function nameOf(batches: readonly Batch[]): string {
  return batches.map(({ plan, slotMs, sequence }) => `${plan} ${slotMs} ${sequence}`).join();
}
