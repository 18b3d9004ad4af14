import type { ServiceUser } from '../kernel/plugin.ts';
import type { Batch } from '../model/batch.ts';
import { BatchEncoder } from '../model/batch-form/batch-encoder.ts';
import { checkShape } from './batch-shape.ts';
import type { DeliveryCounters } from './delivery.ts';
import { LentBatches } from './lent-batches.ts';
import type { BatchReceiver, Pipeline, PipelineCounters, Processor } from './pipeline.ts';

/** What the pipeline reports about the plugins that use it. */
export interface PipelineReports {
  onProcessorFailure(name: string, error: unknown): void;
  onMalformed(plugin: string, error: unknown): void;
  onOutputFailure(plugin: string, error: unknown): void;
}

/** A pipeline, and what each plugin receives as the pipeline. */
export interface SharedPipeline extends Pipeline {
  viewFor(user: ServiceUser): Pipeline;
}

/** A plugin at the pipeline. */
interface Border {
  readonly plugin: string;
  /** Undefined for a built-in plugin, which shares batches with the others. */
  readonly lent: LentBatches | undefined;
}

interface NamedProcessor {
  readonly name: string;
  readonly process: Processor;
  readonly border: Border;
}

export function createPipeline(reports: PipelineReports): SharedPipeline {
  const road = new BatchRoad(reports);
  const encoder = new BatchEncoder();
  const viewFor = ({ name, isBuiltIn }: ServiceUser) =>
    isBuiltIn
      ? openBorder(road, { plugin: name, lent: undefined }, encoder)
      : // What an encoder writes is valid until its next call: a plugin that writes into it must not reach others.
        openBorder(road, { plugin: name, lent: new LentBatches() }, new BatchEncoder());
  return Object.create(viewFor({ name: 'collector', isBuiltIn: true }), { viewFor: { value: viewFor } });
}

/** The pipeline as the plugin at this border sees it. */
function openBorder(road: BatchRoad, border: Border, encoder: BatchEncoder): Pipeline {
  return Object.freeze({
    encoder,
    push: (sent: Batch, outputs?: ReadonlySet<string>) => road.push(sent, border, outputs),
    sync: (outputs?: ReadonlySet<string>) => road.sync(outputs),
    get counters() {
      return road.counters;
    },
    get isPaused() {
      return road.hasDelivery(({ isPausing }) => isPausing);
    },
    get wantsRates() {
      return road.hasDelivery(({ wantsRates }) => wantsRates);
    },
    get eventOutputs() {
      return road.eventOutputs;
    },
    addProcessor: (name: string, process: Processor) => road.addProcessor({ name, process, border }),
    addOutput: (delivery: BatchReceiver) => road.addOutput(delivery, border),
  });
}

/** What all borders share: the processors in their order, then the deliveries. */
class BatchRoad {
  readonly #reports: PipelineReports;
  readonly #processors = new Set<NamedProcessor>();
  readonly #deliveries = new Set<BatchReceiver>();
  readonly #failures: Record<string, number> = {};
  readonly #malformed: Record<string, number> = {};
  #pushed = 0;
  #filtered = 0;
  /** Batches that were malformed or on which a processor threw. */
  #lost = 0;

  constructor(reports: PipelineReports) {
    this.#reports = reports;
  }

  push(sent: Batch, border: Border, outputs: ReadonlySet<string> | undefined): boolean {
    this.#pushed++;
    const lostBefore = this.#lost;
    let isTaken = true;
    let batches = this.#receive(sent, border);
    for (const processor of this.#processors)
      batches = batches.flatMap((batch) => this.#apply(processor, batch));
    for (const batch of batches) {
      for (const delivery of this.#deliveries) {
        if (batch.kind === 'event' && !delivery.takesEvents) continue;
        if (outputs === undefined || outputs.has(delivery.output)) isTaken = delivery.put(batch) && isTaken;
      }
    }
    return isTaken && this.#lost === lostBefore;
  }

  async sync(outputs: ReadonlySet<string> | undefined): Promise<boolean> {
    const wanted = [...this.#deliveries].filter(({ output }) => outputs?.has(output) ?? true);
    return (await Promise.all(wanted.map((delivery) => delivery.sync()))).every(Boolean);
  }

  get counters(): PipelineCounters {
    return {
      pushed: this.#pushed,
      filtered: this.#filtered,
      processorFailures: { ...this.#failures },
      malformed: { ...this.#malformed },
      outputs: Object.fromEntries([...this.#deliveries].map(({ output, counters }) => [output, counters])),
    };
  }

  hasDelivery(fits: (delivery: BatchReceiver) => boolean): boolean {
    for (const delivery of this.#deliveries) if (fits(delivery)) return true;
    return false;
  }

  get eventOutputs(): string[] {
    return [...this.#deliveries].filter(({ takesEvents }) => takesEvents).map(({ output }) => output);
  }

  addProcessor(processor: NamedProcessor): () => void {
    this.#processors.add(processor);
    return () => {
      this.#processors.delete(processor);
    };
  }

  addOutput(delivery: BatchReceiver, { plugin, lent }: Border): () => void {
    const receiver =
      lent === undefined
        ? delivery
        : new Borrower(delivery, lent, (error) => this.#reports.onOutputFailure(plugin, error));
    this.#deliveries.add(receiver);
    return () => {
      this.#deliveries.delete(receiver);
    };
  }

  /** The batch that the plugin sends, or nothing when it is malformed. */
  #receive(sent: unknown, { plugin, lent }: Border): readonly Batch[] {
    try {
      return [lent === undefined ? checkShape(sent) : lent.receive(sent)];
    } catch (error) {
      this.#lost++;
      this.#malformed[plugin] = (this.#malformed[plugin] ?? 0) + 1;
      this.#reports.onMalformed(plugin, error);
      // It may be a promise, and one that rejects must not end the collector.
      Promise.resolve(sent).catch(() => {});
      return [];
    }
  }

  #apply({ name, process, border }: NamedProcessor, batch: Batch): readonly Batch[] {
    let answers: readonly unknown[];
    try {
      const answer = process(border.lent?.lend(batch) ?? batch);
      answers = Array.isArray(answer) ? answer.slice(0, maxAnswers) : [answer ?? []].flat();
    } catch (error) {
      this.#lost++;
      this.#failures[name] = (this.#failures[name] ?? 0) + 1;
      this.#reports.onProcessorFailure(name, error);
      return [];
    }
    if (answers.length === 0) this.#filtered++;
    return answers.flatMap((each) => this.#receive(each, border));
  }
}

/** More batches than a processor can have a reason to make of one. */
const maxAnswers = 10_000;

/** The queue of an output that is not built in. */
class Borrower implements BatchReceiver {
  readonly #delivery: BatchReceiver;
  readonly #lent: LentBatches;
  readonly #onFailure: (error: unknown) => void;

  constructor(delivery: BatchReceiver, lent: LentBatches, onFailure: (error: unknown) => void) {
    this.#delivery = delivery;
    this.#lent = lent;
    this.#onFailure = onFailure;
  }

  get output(): string {
    return this.#delivery.output;
  }

  get counters(): DeliveryCounters {
    return this.#delivery.counters;
  }

  get wantsRates() {
    return this.#delivery.wantsRates;
  }

  get takesEvents() {
    return this.#delivery.takesEvents;
  }

  get isPausing(): boolean {
    return this.#delivery.isPausing;
  }

  sync(): Promise<boolean> {
    return this.#delivery.sync();
  }

  put(batch: Batch): boolean {
    try {
      return this.#delivery.put(this.#lent.lend(batch));
    } catch (error) {
      this.#onFailure(error);
      return false;
    }
  }
}
