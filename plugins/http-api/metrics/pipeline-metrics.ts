import type { Pipeline } from '../../../src/index.ts';
import { labelledMetric, type Metric, oneMetric } from './exposition.ts';

type OutputCounters = Pipeline['counters']['outputs'][string];

/** The road from sources to outputs, in batches. */
export function listPipelineMetrics({ counters }: Pipeline, nowMs: number): Metric[] {
  const { pushed, filtered, processorFailures, outputs } = counters;
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
    oneMetric('counter', 'waywiser_batches_filtered_total', 'Batches that processors took out.', filtered),
    labelledMetric(
      'counter',
      'waywiser_processor_failures_total',
      'Batches lost to a processor that threw.',
      'processor',
      Object.entries(processorFailures),
    ),
    ofOutputs('counter', 'accepted_total', 'Batches an output was given.', ({ accepted }) => accepted),
    ofOutputs(
      'counter',
      'restored_total',
      'Batches found in the queue at the start.',
      (each) => each.restored,
    ),
    ofOutputs('counter', 'delivered_total', 'Batches an output delivered.', ({ delivered }) => delivered),
    ofOutputs('counter', 'retries_total', 'Deliveries that were tried again.', ({ retries }) => retries),
    {
      name: 'waywiser_output_dropped_total',
      help: 'Batches an output lost, by reason.',
      type: 'counter',
      samples: drops,
    },
    ofOutputs(
      'counter',
      'refused_values_total',
      'Values that the other side left out of batches it took.',
      (each) => each.refusedValues,
    ),
    ofOutputs('gauge', 'queued', 'Batches that wait for an output.', ({ queued }) => queued),
    ofOutputs('gauge', 'queue_bytes', 'What waits for an output on the disk.', (each) => each.queuedBytes),
    ofOutputs('gauge', 'oldest_seconds', 'How long the oldest batch has waited.', ({ oldestMs }) =>
      oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs) / 1000,
    ),
  ];
}
