/** How long ago, in one unit: `now`, `12 s ago`, `3 min ago`, `5 h ago`, `2 d ago`. */
export function formatAgo(ms: number, nowMs: number): string {
  const seconds = Math.round((nowMs - ms) / 1000);
  if (seconds < -1) return `in ${formatSpan(-seconds)}`;
  return seconds < 1 ? 'now' : `${formatSpan(seconds)} ago`;
}

/** How long something has lasted, such as "for 44 min". */
export function formatFor(sinceMs: number, nowMs: number): string {
  return `for ${formatSpan(Math.max(0, Math.round((nowMs - sinceMs) / 1000)))}`;
}

/** Seconds in their largest unit. */
function formatSpan(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** The time in the viewer's zone, with the date unless it is today. */
export function formatClock(ms: number, nowMs: number, zone?: string): string {
  if (Number.isNaN(ms)) return 'no time';
  const day = (at: number) => format(at, { dateStyle: 'short' }, zone);
  const time = format(ms, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, zone);
  return day(ms) === day(nowMs)
    ? time
    : `${format(ms, { year: 'numeric', month: 'short', day: '2-digit' }, zone)} ${time}`;
}

/** The same moment in UTC, for a hover: `2026-11-23 14:08:47 UTC`. */
export function formatUtc(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return 'no time';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function format(ms: number, options: Intl.DateTimeFormatOptions, zone: string | undefined): string {
  return new Date(ms).toLocaleString('en-GB', zone === undefined ? options : { ...options, timeZone: zone });
}
