import type { Coordinator, FleetChange, FleetSnapshot } from '../../../src/sharding/index.ts';

/** What a worker needs to begin. */
export interface WorkerOrder {
  readonly name: string;
  /** The path of the configuration, and what it contained when the parent read it. */
  readonly config: string;
  readonly text: string;
  readonly stateDirectory: string;
  readonly leaseMs: number;
  /** With this token the processes call each other. */
  readonly token: string;
  readonly debugPlugins: boolean;
}

/** The methods of the coordinator that are requests. */
export type CoordinatorCall = Exclude<keyof Coordinator, 'watch' | 'close'>;

/** One message of the channel has all that a process had to say in a turn of its event loop (`MessageBatch`). */
export type ToParent =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: CoordinatorCall;
      readonly values: unknown[];
    }
  | { readonly kind: 'watch' }
  /** All plugins run. */
  | { readonly kind: 'ready'; readonly address: string };

export type ToWorker =
  | { readonly kind: 'begin'; readonly order: WorkerOrder }
  /** Claim shards. */
  | { readonly kind: 'join' }
  | { readonly kind: 'stop'; readonly why: string }
  | { readonly kind: 'reply'; readonly id: number; readonly value?: unknown; readonly error?: string }
  | { readonly kind: 'snapshot'; readonly snapshot: FleetSnapshot }
  | { readonly kind: 'change'; readonly change: FleetChange };
