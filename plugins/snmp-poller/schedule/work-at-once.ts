import type { Clock } from './clock.ts';

/** How long work may keep the event loop busy in one go. */
const sliceMs = 5;

/** Runs work to its end; what takes longer than a slice goes on behind other work. */
export async function workInSlices<Result>(
  work: Generator<void, Result>,
  clock: Pick<Clock, 'now' | 'setTimer'>,
): Promise<Result> {
  let endMs = clock.now() + sliceMs;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (clock.now() < endMs) continue;
    await new Promise<void>((resolve) => clock.setTimer(resolve, 0));
    endMs = clock.now() + sliceMs;
  }
}

/** Runs work to its end at once. */
export function workAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
