/** A metric for Prometheus: one sample, or one per set of labels. */
export interface Metric {
  /** Ends with its unit, and for a counter with `_total` after that. */
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  /** In a histogram: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string;
  readonly value: number;
}

/** A metric with one value. */
export function oneMetric(type: 'counter' | 'gauge', name: string, help: string, value: number): Metric {
  return { name, help, type, samples: [{ value }] };
}

/** A metric with one sample per value of one label. */
export function labelledMetric(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  label: string,
  values: Iterable<readonly [string, number]>,
): Metric {
  const samples = Array.from(values, ([text, value]) => ({ labels: { [label]: text }, value }));
  return { name, help, type, samples };
}

/** The samples of a histogram, of those with these labels if there are any. */
export function histogramSamples(
  histogram: CumulativeCounts,
  labels: Readonly<Record<string, string>> = {},
): Sample[] {
  const own = Object.keys(labels).length === 0 ? {} : { labels };
  return [
    ...histogram.cumulative().map(({ bound, count }) => ({
      suffix: '_bucket',
      labels: { ...labels, le: String(bound) },
      value: count,
    })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: histogram.count },
    { suffix: '_sum', ...own, value: histogram.sum },
    { suffix: '_count', ...own, value: histogram.count },
  ];
}

/** What a histogram of `createDurationHistogram` shows of itself. */
interface CumulativeCounts {
  readonly sum: number;
  readonly count: number;
  cumulative(): readonly { readonly bound: number; readonly count: number }[];
}
