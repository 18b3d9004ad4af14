export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

/** `rate()` of Prometheus: extrapolatedRate() of promql/functions.go. Undefined with fewer than two samples in the window. */
export function rateOf(samples: readonly Sample[], nowMs: number, windowMs: number): number | undefined {
  const startMs = nowMs - windowMs;
  const points = samples.filter(({ atMs }) => atMs >= startMs && atMs <= nowMs);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return undefined;
  let increase = last.value - first.value;
  for (const [i, { value }] of points.entries()) {
    const before = points[i - 1]?.value ?? 0;
    if (value < before) increase += before;
  }
  const sampledMs = last.atMs - first.atMs;
  const averageMs = sampledMs / (points.length - 1);
  const toZeroMs =
    increase > 0 && first.value >= 0 ? sampledMs * (first.value / increase) : Number.POSITIVE_INFINITY;
  const beforeMs = Math.min(first.atMs - startMs, toZeroMs);
  const afterMs = nowMs - last.atMs;
  const reach = (ms: number) => (ms < averageMs * 1.1 ? ms : averageMs / 2);
  const extrapolatedMs = sampledMs + reach(beforeMs) + reach(afterMs);
  return (increase * (extrapolatedMs / sampledMs)) / (windowMs / 1_000);
}
