import { serviceToken } from '../kernel/service-token.ts';
import type { Batch } from '../model/batch.ts';
import { BatchEncoder } from '../model/batch-form/batch-encoder.ts';
import type { Delivery, DeliveryCounters } from './delivery.ts';

/**
 * Changes a batch on its way: answers with the batch itself, others in its place, or nothing to filter it out. Called
 * synchronously for every batch, so it must be quick; one that throws loses that batch, which is counted.
 */
export type Processor = (batch: Batch) => Batch | readonly Batch[] | undefined;

/** The road from sources to outputs. */
export interface Pipeline {
  /**
   * Sends a batch down the road, to every output or to those named. Never waits, never throws: a slow output delays
   * nobody.
   */
  push(batch: Batch, outputs?: ReadonlySet<string>): void;
  readonly counters: PipelineCounters;
  /**
   * True while the full queue of an output asks sources to skip what they can. What is pushed all the same is taken, or dropped
   * and counted.
   */
  readonly isPaused: boolean;
  /** What all who keep batches on the disk write with, so that one which several of them take is encoded once. */
  readonly encoder: BatchEncoder;
  /** For `defineProcessor`: adds a step behind those added before; the answer removes it. */
  addProcessor(name: string, process: Processor): () => void;
  /** For `defineOutput`: adds an output's delivery; the answer removes it. */
  addOutput(delivery: Delivery): () => void;
}

export interface PipelineCounters {
  readonly pushed: number;
  readonly filtered: number;
  /** Batches lost to a processor that threw, by processor. */
  readonly processorFailures: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, DeliveryCounters>>;
}

/** For sources, which push; `defineOutput` and `defineProcessor` need it by themselves. */
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
