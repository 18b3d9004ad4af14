/** A time in which a state stayed the same. */
export interface StateSpan {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Joins equal states that follow each other. A state lasts until the next one, the last one until `endMs`. */
export function findSpans(
  times: readonly number[],
  values: readonly (number | null)[],
  names: Readonly<Record<string, string>> | undefined,
  endMs: number,
): StateSpan[] {
  const spans: { name: string; fromMs: number; toMs: number }[] = [];
  values.forEach((value, i) => {
    if (value === null) return;
    const name = names?.[String(value)] ?? (names === undefined ? nameOf(value) : String(value));
    const last = spans.at(-1);
    if (last !== undefined) last.toMs = times[i]!;
    if (last?.name !== name) spans.push({ name, fromMs: times[i]!, toMs: times[i]! });
  });
  const last = spans.at(-1);
  if (last !== undefined) last.toMs = Math.max(last.toMs, endMs);
  return spans;
}

/** A state without names is a truth value. */
function nameOf(value: number): string {
  return value === 1 ? 'up' : value === 0 ? 'down' : String(value);
}
