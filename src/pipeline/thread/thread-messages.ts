import type { EventMap, EventName } from '../../model/event-map.ts';
import type { CarriedError } from './carried-error.ts';

/** What a thread is started with. */
export interface ThreadData {
  /** The module whose default export is the output plugin. */
  readonly module: string;
  readonly name: string;
  /** As `carryOptions` gives them. */
  readonly options: unknown;
  readonly collector: {
    readonly instance: string;
    readonly version: string;
    readonly stateDirectory: string;
    readonly secretsDirectory: string | undefined;
  };
  readonly logLevel: string;
}

/** What the collector tells an output's thread. `queued` is how many batches wait, those under delivery included. */
export type ToThread =
  | {
      readonly kind: 'write';
      readonly id: number;
      /** In their binary form, each in memory of its own; undefined for the group of the `write` before. */
      readonly batches: readonly Uint8Array[] | undefined;
      readonly queued: number;
    }
  | { readonly kind: 'abort'; readonly id: number; readonly why: CarriedError }
  | {
      readonly kind: 'event';
      readonly event: EventName;
      readonly payload: EventMap[EventName];
      readonly queued: number;
    }
  | { readonly kind: 'stop' }
  | { readonly kind: 'close' };

/** What the thread answers. */
export type FromThread =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused-to-open'; readonly error: CarriedError }
  | { readonly kind: 'written'; readonly id: number }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly error: CarriedError;
      /** What a PermanentError refuses: which batches of the group, and how many values of the others. */
      readonly refused: readonly number[] | undefined;
      readonly refusedValues: number | undefined;
    }
  | { readonly kind: 'listen'; readonly event: EventName }
  | { readonly kind: 'emit'; readonly event: EventName; readonly payload: EventMap[EventName] }
  | {
      readonly kind: 'log';
      readonly level: number;
      readonly text: string;
      readonly details: Readonly<Record<string, unknown>>;
      readonly errors: Readonly<Record<string, CarriedError>>;
    }
  | { readonly kind: 'closed'; readonly error: CarriedError | undefined };
