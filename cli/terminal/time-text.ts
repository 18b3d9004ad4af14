/** A time of the API in the local time zone. */
export function formatTime(iso: string): string {
  const time = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** A short duration: `40 ms`, `2.5 s`. */
export function formatMilliseconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** The two largest parts of a duration: `3 d 4 h`, `12 min 5 s`. */
export function formatDuration(seconds: number): string {
  const parts = units
    .map(({ name, inSeconds }, i) => {
      const above = units[i - 1]?.inSeconds ?? Number.POSITIVE_INFINITY;
      return { name, count: Math.floor((seconds % above) / inSeconds) };
    })
    .filter(({ count }) => count > 0);
  return parts.length === 0
    ? '0 s'
    : parts
        .slice(0, 2)
        .map(({ name, count }) => `${count} ${name}`)
        .join(' ');
}

const units = [
  { name: 'd', inSeconds: 86_400 },
  { name: 'h', inSeconds: 3_600 },
  { name: 'min', inSeconds: 60 },
  { name: 's', inSeconds: 1 },
] as const;
