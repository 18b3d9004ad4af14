import { setTimeout as sleep } from 'node:timers/promises';
import type { RouteFacts } from './service.ts';

/** What `work` brings; undefined when the time is over before, or the collector begins to stop. */
export async function waitWithin<Value>(
  work: Promise<Value>,
  { waitMs, stopping }: RouteFacts,
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
