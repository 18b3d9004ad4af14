/** Longer than this nobody means it. */
const maxPauseMs = 600_000;

/** How long a Retry-After header asks to wait, as seconds or as a date; undefined where it says nothing that can be read. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const pauseMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(pauseMs) ? undefined : Math.min(Math.max(pauseMs, 0), maxPauseMs);
}
