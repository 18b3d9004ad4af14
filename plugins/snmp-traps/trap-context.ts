import type { Pipeline, PluginContext } from '../../src/index.ts';
import type { Shards } from '../../src/sharding/index.ts';
import type { Definitions } from '../definitions-loader/service.ts';
import type { DeviceRegistry } from '../device-registry/service.ts';
import type { HttpRoutes } from '../http-routes/service.ts';
import type { SnmpClient } from '../snmp-client/service.ts';
import type { Discovery } from '../snmp-discovery/service.ts';
import type { Poller } from '../snmp-poller/service.ts';
import type { TrapOptions } from './options.ts';

/** The services that this plugin uses. */
export interface TrapNeeds {
  readonly definitions: Definitions;
  readonly registry: DeviceRegistry;
  readonly client: SnmpClient;
  readonly discovery: Discovery;
  readonly poller: Poller;
  readonly pipeline: Pipeline;
  readonly routes: HttpRoutes;
  readonly shards: Shards;
}

/** What each step of the start receives. */
export type TrapContext = PluginContext<TrapOptions, TrapNeeds>;
