import type { Clock } from './clock.ts';

/** How long work may keep the event loop busy without a break: replies of devices wait no longer than this for their turn. */
const sliceMs = 5;

/** What slices are measured and divided by. */
type SliceClock = Pick<Clock, 'now' | 'setTimer'>;

const immediateClock: SliceClock = {
  now: () => performance.now(),
  setTimer: (run) => setImmediate(run),
};

/** Runs work to its end; after each slice, other work has a turn. Rejects with what the work throws. */
export async function workInSlices<Result>(
  work: Generator<void, Result>,
  clock: SliceClock = immediateClock,
): Promise<Result> {
  let endMs = clock.now() + sliceMs;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (clock.now() < endMs) continue;
    await new Promise<void>((resolve) => clock.setTimer(resolve, 0));
    endMs = clock.now() + sliceMs;
  }
}

/** Runs work that is written for slices to its end, without a break. */
export function runToEnd<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Calls `work` for each item in order, in slices. Rejects with what it throws, and with the signal's reason when that aborts. */
export function runInSlices<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
  signal: AbortSignal,
): Promise<void> {
  return workInSlices(runEach(items, work, signal));
}

function* runEach<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
  signal: AbortSignal,
): Generator<void, void> {
  for (const item of items) {
    signal.throwIfAborted();
    work(item);
    yield;
  }
}
