/** Increases per second between neighbouring readings of a counter. */
export function ratesOf(readings: readonly { readonly atMs: number; readonly count: number }[]): number[] {
  return readings.slice(1).map(({ atMs, count }, i) => {
    const before = readings[i]!;
    return Math.max(0, count - before.count) / Math.max(0.001, (atMs - before.atMs) / 1000);
  });
}

/** The increase per second over the last `spanMs`; undefined before there are two readings. */
export function recentRate(
  readings: readonly { readonly atMs: number; readonly count: number }[],
  spanMs: number,
): number | undefined {
  const last = readings.at(-1);
  if (last === undefined) return undefined;
  const first = readings.find(({ atMs }) => atMs >= last.atMs - spanMs)!;
  if (first === last) return undefined;
  return Math.max(0, last.count - first.count) / ((last.atMs - first.atMs) / 1000);
}
