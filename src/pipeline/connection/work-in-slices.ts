import { setImmediate as nextTurn } from 'node:timers/promises';

/** Replies of devices wait no longer than this for their turn. */
const sliceMs = 5;

/**
 * Calls `work` for each item in order, and lets others have their turn after every few milliseconds of it. Rejects with what `work`
 * throws, and with the signal's reason once that has aborted.
 */
export async function runInSlices<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
  signal: AbortSignal,
): Promise<void> {
  let endMs = performance.now() + sliceMs;
  for (const item of items) {
    signal.throwIfAborted();
    work(item);
    if (performance.now() < endMs) continue;
    await nextTurn();
    endMs = performance.now() + sliceMs;
  }
}
