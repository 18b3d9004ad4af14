import { labelledMetric, type Metric, oneMetric } from '../../../src/http/index.ts';
import type { Pipeline } from '../../../src/index.ts';

type OutputCounters = Pipeline['counters']['outputs'][string];

/** Counters of the path from sources to outputs, in batches. */
export function listPipelineMetrics({ counters }: Pipeline, nowMs: number): Metric[] {
  const { pushed, filtered, processorFailures, malformed, outputs } = counters;
  const ofOutputs = (
    type: 'counter' | 'gauge',
    name: string,
    help: string,
    read: (counters: OutputCounters) => number,
  ) =>
    labelledMetric(
      type,
      `waywiser_output_${name}`,
      help,
      'output',
      Object.entries(outputs).map(([output, each]) => [output, read(each)] as const),
    );
  const drops = Object.entries(outputs).flatMap(([output, { droppedBy }]) =>
    Object.entries(droppedBy).map(([reason, value]) => ({ labels: { output, reason }, value })),
  );
  return [
    oneMetric('counter', 'waywiser_batches_pushed_total', 'Batches that entered the pipeline.', pushed),
    oneMetric('counter', 'waywiser_batches_filtered_total', 'Batches that processors dropped.', filtered),
    labelledMetric(
      'counter',
      'waywiser_processor_failures_total',
      'Batches lost because a processor threw an error.',
      'processor',
      Object.entries(processorFailures),
    ),
    labelledMetric(
      'counter',
      'waywiser_batches_malformed_total',
      'Batches that were dropped because they were malformed, by the plugin that sent them.',
      'plugin',
      Object.entries(malformed),
    ),
    ofOutputs('counter', 'accepted_total', 'Batches queued for an output.', ({ accepted }) => accepted),
    ofOutputs(
      'counter',
      'restored_total',
      'Batches found in the queue of an output at the start.',
      (each) => each.restored,
    ),
    ofOutputs(
      'counter',
      'delivered_total',
      'Batches that an output delivered.',
      ({ delivered }) => delivered,
    ),
    ofOutputs('counter', 'retries_total', 'Deliveries that were retried.', ({ retries }) => retries),
    {
      name: 'waywiser_output_dropped_total',
      help: 'Batches that an output dropped, by reason.',
      type: 'counter',
      samples: drops,
    },
    ofOutputs(
      'counter',
      'refused_values_total',
      'Values that the receiver rejected in batches that it accepted.',
      (each) => each.refusedValues,
    ),
    ofOutputs('gauge', 'queued', 'Batches in the queue of an output.', ({ queued }) => queued),
    ofOutputs('gauge', 'queue_bytes', 'Size of the queue of an output on disk.', (each) => each.queuedBytes),
    ofOutputs('gauge', 'oldest_seconds', 'Age of the oldest queued batch.', ({ oldestMs }) =>
      oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs) / 1000,
    ),
  ];
}
