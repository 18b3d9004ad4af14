import { serviceToken } from '../kernel/service-token.ts';
import type { Batch } from '../model/batch.ts';
import type { BatchEncoder } from '../model/batch-form/batch-encoder.ts';
import type { Delivery, DeliveryCounters } from './delivery.ts';

/** The delivery of an output, as the pipeline uses it. */
export type BatchReceiver = Pick<
  Delivery,
  'output' | 'put' | 'sync' | 'counters' | 'isPausing' | 'wantsRates' | 'takesEvents'
>;

/**
 * Changes a batch on its way: returns the batch itself, other batches to replace it, or undefined to filter it out. Called synchronously
 * for every batch, so it must be fast. If it throws or returns something else, that batch is dropped and counted. What it writes into
 * the numbers of a batch has no effect, and all other parts are frozen.
 */
export type Processor = (batch: Batch) => Batch | readonly Batch[] | undefined;

/** The path from sources to outputs. */
export interface Pipeline {
  /**
   * Sends a batch to every output, or to those named. Never waits, never throws: a slow output does not delay others. Returns whether
   * each of them has it in its queue; a queue on the disk has then written it to the system. Also true for a batch that a processor has
   * filtered out, and false for one that was lost on its way to the outputs.
   */
  push(batch: Batch, outputs?: ReadonlySet<string>): boolean;
  /**
   * Resolves to whether every output, or each of those named, has what was pushed on the disk. A queue in memory counts as
   * synced: it has no disk.
   */
  sync(outputs?: ReadonlySet<string>): Promise<boolean>;
  readonly counters: PipelineCounters;
  /** True while the full queue of an output asks sources to skip polls. Batches pushed meanwhile are queued, or dropped and counted. */
  readonly isPaused: boolean;
  /** Whether an output asks for the increase per second of each counter. Outputs have started before any source. */
  readonly wantsRates: boolean;
  /** The names of the outputs that receive batches of the kind `event`. */
  readonly eventOutputs: readonly string[];
  /** Shared by all outputs that keep batches on the disk, so that a batch for several of them is encoded once. */
  readonly encoder: BatchEncoder;
  /** For `defineProcessor`: adds a processor after those added before. Returns a function that removes it. */
  addProcessor(name: string, process: Processor): () => void;
  /** For `defineOutput`: adds the delivery of an output. Returns a function that removes it. */
  addOutput(delivery: BatchReceiver): () => void;
}

export interface PipelineCounters {
  readonly pushed: number;
  readonly filtered: number;
  /** Batches lost to a processor that threw, by processor. */
  readonly processorFailures: Readonly<Record<string, number>>;
  /** Batches that could not be used, by the plugin that sent or returned them. */
  readonly malformed: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, DeliveryCounters>>;
}

/** For sources, which push batches. `defineOutput` and `defineProcessor` add this need themselves. */
export const pipelineToken = serviceToken<Pipeline>('pipeline');
