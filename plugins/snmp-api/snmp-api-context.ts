import type { EventBus } from '../../src/index.ts';
import type { Shards } from '../../src/sharding/index.ts';
import type { Definitions } from '../definitions-loader/service.ts';
import type { DeviceRegistry } from '../device-registry/service.ts';
import type { SnmpClient } from '../snmp-client/service.ts';
import type { Discovery } from '../snmp-discovery/service.ts';

/** What the routes of this plugin use. What the server decides comes with `RouteFacts`. */
export interface SnmpApiContext {
  readonly definitions: Definitions;
  readonly registry: DeviceRegistry;
  readonly client: SnmpClient;
  readonly discovery: Discovery;
  readonly shards: Shards;
  readonly events: EventBus;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
