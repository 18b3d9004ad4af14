import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What the loop of a process that has nothing to do was late by meanwhile: that much is the machine's, not the measured one's. */
export interface IdleDelay {
  readonly idleP99Ms: number;
  readonly idleMaxMs: number;
}

const timerMs = 5;

/** Waits for another process, and watches the own loop meanwhile. */
export async function watchIdle<Result>(
  work: Promise<Result>,
): Promise<{ readonly result: Result } & IdleDelay> {
  const delay = monitorEventLoopDelay({ resolution: timerMs });
  delay.enable();
  const result = await work;
  delay.disable();
  const lateMs = (nanoseconds: number) => Math.round(nanoseconds / 1e5) / 10 - timerMs;
  return { result, idleP99Ms: lateMs(delay.percentile(99)), idleMaxMs: lateMs(delay.max) };
}
