import { definePlugin } from '../../src/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { snmpClientToken } from '../snmp-client/service.ts';
import { discoveryToken } from '../snmp-discovery/service.ts';
import { applyDefinitions } from './definitions/apply-definitions.ts';
import { listDefinitions } from './definitions/list-definitions.ts';
import { oneDefinition, runningDefinitions } from './definitions/read-definitions.ts';
import { apiDevices } from './devices/api-devices.ts';
import { listDevices } from './devices/list-devices.ts';
import { listUncollected } from './devices/list-uncollected.ts';
import { listVendors } from './devices/list-vendors.ts';
import { managedDevices } from './devices/managed-devices.ts';
import { oneDevice } from './devices/one-device.ts';
import { discoveries } from './discoveries/read-discoveries.ts';
import { rediscoverDevice } from './discoveries/rediscover-device.ts';
import { listPacketMetrics } from './metrics/packet-metrics.ts';
import { WorkMetrics } from './metrics/work-metrics.ts';

const routePlugins = [
  applyDefinitions,
  rediscoverDevice,
  listDevices,
  listUncollected,
  listVendors,
  oneDevice,
  managedDevices,
  runningDefinitions,
  listDefinitions,
  oneDefinition,
  discoveries,
];

export default definePlugin({
  name: 'snmp-api',
  kind: 'service',
  summary: 'Adds definitions, devices and discoveries to the HTTP API. It is loaded where both are.',
  needs: {
    routes: httpRoutesToken,
    definitions: definitionsToken,
    registry: deviceRegistryToken,
    client: snmpClientToken,
    discovery: discoveryToken,
    shards: shardsToken,
  },
  start({ needs: { routes, ...services }, events }) {
    const context = { ...services, events, now: Date.now };
    for (const build of routePlugins) routes.add(build(context));
    routes.addDevices(apiDevices(context));
    const work = new WorkMetrics(events);
    routes.addMetrics(() => work.list(context));
    routes.addMetrics(() => listPacketMetrics(services.client));
  },
});
