import type { Histogram } from '../../../src/internal.ts';
import type { Metric, Sample } from '../../http-routes/service.ts';

export type { Metric, Sample } from '../../http-routes/service.ts';

/** The text exposition format 0.0.4. A metric without samples is left out. */
export function renderMetrics(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ labels, suffix = '', value }) => `${name}${suffix}${renderLabels(labels)} ${value}\n`,
      );
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
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
  histogram: Histogram,
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

function renderLabels(labels: Sample['labels']): string {
  if (labels === undefined) return '';
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeValue(value)}"`);
  return `{${pairs.join(',')}}`;
}

function escapeValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
