/** What the graphs of a view show: the time before now, or a span that somebody selected. */
export type TimeRange =
  | { readonly kind: 'recent'; readonly seconds: number }
  | { readonly kind: 'fixed'; readonly fromMs: number; readonly toMs: number };

export const recentRanges: readonly { readonly label: string; readonly seconds: number }[] = [
  { label: '15 min', seconds: 900 },
  { label: '1 h', seconds: 3600 },
  { label: '6 h', seconds: 21_600 },
  { label: '24 h', seconds: 86_400 },
  { label: '7 d', seconds: 604_800 },
  { label: '30 d', seconds: 2_592_000 },
];

/** Where a range begins and ends. */
export function boundsOf(range: TimeRange, nowMs: number): { fromMs: number; toMs: number } {
  if (range.kind === 'fixed') return { fromMs: range.fromMs, toMs: range.toMs };
  return { fromMs: nowMs - range.seconds * 1000, toMs: nowMs };
}

const steps = [300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];
const asPolledSeconds = 21_600;
const wantedValues = 500;

/** The seconds that get one value; undefined for the values as they were polled. */
export function chooseStep(fromMs: number, toMs: number): number | undefined {
  const seconds = (toMs - fromMs) / 1000;
  if (seconds <= asPolledSeconds) return undefined;
  return steps.find((step) => seconds / step <= wantedValues) ?? steps.at(-1);
}

/** The part of an address that says the range: `1h` stays recent, `FROM-TO` in seconds is fixed. */
export function parseRange(text: string | undefined): TimeRange {
  const fixed = /^(\d{9,11})-(\d{9,11})$/.exec(text ?? '');
  if (fixed !== null && Number(fixed[1]) < Number(fixed[2])) {
    return { kind: 'fixed', fromMs: Number(fixed[1]) * 1000, toMs: Number(fixed[2]) * 1000 };
  }
  const seconds = Number(text);
  return { kind: 'recent', seconds: recentRanges.some((each) => each.seconds === seconds) ? seconds : 3600 };
}

export function formatRange(range: TimeRange): string {
  if (range.kind === 'recent') return String(range.seconds);
  return `${Math.floor(range.fromMs / 1000)}-${Math.ceil(range.toMs / 1000)}`;
}
