import { type Pipeline, type Static, Type } from '../../../src/index.ts';

const outputSchema = Type.Object(
  {
    accepted: Type.Integer({ description: 'batches it was given' }),
    restored: Type.Integer({ description: 'batches that an earlier process left in its queue' }),
    delivered: Type.Integer(),
    dropped: Type.Integer(),
    droppedBy: Type.Record(Type.String(), Type.Integer(), { description: 'by reason' }),
    refusedValues: Type.Integer({ description: 'values that the other side left out of batches it took' }),
    queued: Type.Integer(),
    queuedBytes: Type.Integer({ description: 'on the disk' }),
    oldestSeconds: Type.Number({ description: 'how long the oldest has waited' }),
    retries: Type.Integer(),
  },
  { title: 'OutputCounters' },
);

/** What passed the pipeline, in batches. */
export const pipelineSchema = Type.Object(
  {
    pushed: Type.Integer(),
    filtered: Type.Integer(),
    processorFailures: Type.Record(Type.String(), Type.Integer()),
    outputs: Type.Record(Type.String(), outputSchema),
  },
  { title: 'PipelineCounters' },
);

export function describePipeline({ counters }: Pipeline, nowMs: number): Static<typeof pipelineSchema> {
  const { pushed, filtered, processorFailures, outputs } = counters;
  const described = Object.entries(outputs).map(([name, { oldestMs, droppedBy, ...output }]) => {
    const oldestSeconds = oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs) / 1000;
    return [name, { ...output, droppedBy: { ...droppedBy }, oldestSeconds }];
  });
  return {
    pushed,
    filtered,
    processorFailures: { ...processorFailures },
    outputs: Object.fromEntries(described),
  };
}
