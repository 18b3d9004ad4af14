import { serviceToken } from '../kernel/service-token.ts';
import type { Batch } from '../model/batch.ts';
import { BatchEncoder } from '../model/batch-form/batch-encoder.ts';
import type { Delivery, DeliveryCounters } from './delivery.ts';

/**
 * Changes a batch on its way: returns the batch itself, other batches to replace it, or undefined to filter it out. Called synchronously
 * for every batch, so it must be fast. If it throws, that batch is dropped and counted.
 */
export type Processor = (batch: Batch) => Batch | readonly Batch[] | undefined;

/** The path from sources to outputs. */
export interface Pipeline {
  /** Sends a batch to every output, or to those named. Never waits, never throws: a slow output does not delay others. */
  push(batch: Batch, outputs?: ReadonlySet<string>): void;
  readonly counters: PipelineCounters;
  /** True while the full queue of an output asks sources to skip polls. Batches pushed meanwhile are queued, or dropped and counted. */
  readonly isPaused: boolean;
  /** Shared by all outputs that keep batches on the disk, so that a batch for several of them is encoded once. */
  readonly encoder: BatchEncoder;
  /** For `defineProcessor`: adds a processor after those added before. Returns a function that removes it. */
  addProcessor(name: string, process: Processor): () => void;
  /** For `defineOutput`: adds the delivery of an output. Returns a function that removes it. */
  addOutput(delivery: Delivery): () => void;
}

export interface PipelineCounters {
  readonly pushed: number;
  readonly filtered: number;
  /** Batches lost to a processor that threw, by processor. */
  readonly processorFailures: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, DeliveryCounters>>;
}

/** For sources, which push batches. `defineOutput` and `defineProcessor` add this need themselves. */
export const pipelineToken = serviceToken<Pipeline>('pipeline');

export function createPipeline(onProcessorFailure: (name: string, error: unknown) => void): Pipeline {
  const processors = new Map<string, Processor>();
  const deliveries = new Set<Delivery>();
  const failures: Record<string, number> = {};
  let pushed = 0;
  let filtered = 0;

  const applyAll = (batch: Batch): readonly Batch[] => {
    let batches: readonly Batch[] = [batch];
    for (const [name, process] of processors) {
      batches = batches.flatMap((each) => applyOne(name, process, each));
    }
    return batches;
  };

  const applyOne = (name: string, process: Processor, batch: Batch): Batch | readonly Batch[] => {
    try {
      const answer = process(batch) ?? [];
      if (Array.isArray(answer) && answer.length === 0) filtered++;
      return answer;
    } catch (error) {
      failures[name] = (failures[name] ?? 0) + 1;
      onProcessorFailure(name, error);
      return [];
    }
  };

  return {
    encoder: new BatchEncoder(),
    push(batch, outputs) {
      pushed++;
      const batches = processors.size === 0 ? [batch] : applyAll(batch);
      for (const each of batches) {
        for (const delivery of deliveries) {
          if (outputs === undefined || outputs.has(delivery.output)) delivery.put(each);
        }
      }
    },
    get counters() {
      const outputs = Object.fromEntries([...deliveries].map(({ output, counters }) => [output, counters]));
      return { pushed, filtered, processorFailures: { ...failures }, outputs };
    },
    get isPaused() {
      for (const { isPausing } of deliveries) if (isPausing) return true;
      return false;
    },
    addProcessor(name, process) {
      processors.set(name, process);
      return () => {
        processors.delete(name);
      };
    },
    addOutput(delivery) {
      deliveries.add(delivery);
      return () => {
        deliveries.delete(delivery);
      };
    },
  };
}
