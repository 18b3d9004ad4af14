import type { EventBus } from '../kernel/event-bus.ts';
import type { Logger } from '../kernel/logger.ts';
import type { CollectorFacts, Plugin } from '../kernel/plugin.ts';
import type { Batch } from '../model/batch.ts';

/**
 * Writes batches to where they go. Called with one group at a time. After an error it is called again with the same group, until it
 * returns or throws a PermanentError. The signal aborts when the attempt takes too long or the collector stops.
 */
export type Writer = (
  batches: readonly Batch[],
  context: { readonly signal: AbortSignal },
) => Promise<void> | void;

/** The part of an output that only its author can write. */
export interface OutputWriter<Service = unknown> {
  readonly write: Writer;
  /** For an output with `provides`. */
  readonly service?: Service;
  /** Called once, after the last `write`. */
  close?(): void | Promise<void>;
}

/** What an output is opened with. All of it ends with the output. */
export interface OutputContext<Options = unknown, Services = Readonly<Record<string, unknown>>> {
  readonly name: string;
  readonly options: Options;
  readonly needs: Services;
  /** Listeners that the output adds are removed when it stops. */
  readonly events: EventBus;
  readonly log: Logger;
  readonly collector: Omit<CollectorFacts, 'describe'>;
  readonly signal: AbortSignal;
  /** How many batches wait for this output, including those being delivered. */
  queuedBatches(): number;
}

/** What `defineOutput` returns: a plugin, and its `open` for a program that runs the output elsewhere. */
export interface OutputPlugin extends Plugin {
  open(context: OutputContext): OutputWriter | Promise<OutputWriter>;
  /** Whether it receives batches of the kind `event` with these options. */
  takesEvents(options: unknown): boolean;
  /** Whether its author has said so. */
  readonly declaresEvents: boolean;
}
