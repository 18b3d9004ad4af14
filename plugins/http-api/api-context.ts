import type { CollectorFacts, EventBus, Logger, Pipeline } from '../../src/index.ts';
import type { Shards } from '../../src/sharding/index.ts';
import type { ApiDevices, HttpRoutes, ManagedDeviceRules } from '../http-routes/service.ts';

/** What the API's own routes use. */
export interface ApiContext {
  readonly pipeline: Pipeline;
  readonly shards: Shards;
  readonly devices: ApiDevices;
  /** The metrics of other plugins. */
  readonly routes: Pick<HttpRoutes, 'listMetrics'>;
  readonly collector: CollectorFacts;
  readonly events: EventBus;
  readonly log: Logger;
  readonly managedDevices: ManagedDeviceRules;
  /** The longest time that `?wait=true` waits. */
  readonly waitMs: number;
  /** Aborts when the collector begins to stop. */
  readonly stopping: AbortSignal;
  /** Connections that were refused, by the limit that they exceeded. */
  readonly refusedConnections: Readonly<Record<'total' | 'address', number>>;
  /** When the certificate of the server ends, in milliseconds since 1970; undefined without TLS. */
  readonly certificateEndMs: () => number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The devices of a collector that polls nothing. */
export const noDevices: ApiDevices = {
  size: 0,
  generation: 0,
  devices: () => [],
  countStates: () => ({ unknown: 0, up: 0, suspect: 0, down: 0, recovering: 0 }),
  listProblems: () => [],
  findSubject: () => undefined,
};
