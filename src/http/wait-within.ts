import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitLimits {
  readonly waitMs: number;
  /** Aborts when the collector begins to stop. */
  readonly stopping: AbortSignal;
}

/** Resolves with the result of `work`; with undefined after `waitMs`, or when the collector begins to stop. */
export async function waitWithin<Value>(
  work: Promise<Value>,
  { waitMs, stopping }: WaitLimits,
): Promise<Value | undefined> {
  const over = new AbortController();
  const signal = AbortSignal.any([stopping, over.signal]);
  const givenUp = sleep(waitMs, undefined, { signal }).catch(() => undefined);
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    over.abort();
  }
}
