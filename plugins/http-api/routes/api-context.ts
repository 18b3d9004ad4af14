import type { CollectorFacts, EventBus, Logger, Pipeline } from '../../../src/index.ts';
import type { Shards } from '../../../src/sharding/index.ts';
import type { Definitions } from '../../definitions-loader/service.ts';
import type { DeviceRegistry } from '../../device-registry/service.ts';
import type { HttpRoutes } from '../../http-routes/service.ts';
import type { SnmpClient } from '../../snmp-client/service.ts';
import type { Discovery } from '../../snmp-discovery/service.ts';
import type { AddressCheck, SecretCheck } from './devices/managed-device-checks.ts';

/** What the API's own routes use. */
export interface ApiContext {
  readonly definitions: Definitions;
  readonly registry: DeviceRegistry;
  readonly client: SnmpClient;
  readonly discovery: Discovery;
  readonly pipeline: Pipeline;
  readonly shards: Shards;
  /** The metrics of other plugins. */
  readonly routes: Pick<HttpRoutes, 'listMetrics'>;
  readonly collector: CollectorFacts;
  readonly events: EventBus;
  readonly log: Logger;
  readonly checkAddress: AddressCheck;
  readonly checkSecrets: SecretCheck;
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
