import { HistoryStore } from '../../plugins/history/history-store.ts';

const limit = { maxBytes: 2 ** 40, maxAgeMs: 2 ** 50 };

/** A store without limits, whose clock the caller sets. */
export function openStore(directory: string, now: () => number): Promise<HistoryStore> {
  const print = (details: unknown, message: string) => console.error(message, details);
  return HistoryStore.open({
    directory,
    limits: { polled: limit, five_minutes: limit, hours: limit },
    flushMs: 2 ** 30,
    log: { error: print, warn: print, info: print, debug: print } as never,
    now,
  });
}
