import type { FastifyInstance } from 'fastify';
import type { HttpCallers, RoutePlugin } from '../../http-routes/service.ts';
import { followEvents } from '../events/follow-events.ts';
import { forwardToOwner } from '../fleet/forward-to-owner.ts';
import { mergeAnswers } from '../fleet/merge-answers.ts';
import { ownMetrics } from '../metrics/metrics-route.ts';
import { describeRoutes } from '../openapi/document.ts';
import type { ApiContext } from '../routes/api-context.ts';
import { clusterState } from '../routes/cluster-state.ts';
import { collectorState } from '../routes/collector-state.ts';
import { applyDefinitions } from '../routes/definitions/apply-definitions.ts';
import { listDefinitions } from '../routes/definitions/list-definitions.ts';
import { oneDefinition, runningDefinitions } from '../routes/definitions/read-definitions.ts';
import { listDevices } from '../routes/devices/list-devices.ts';
import { listUncollected } from '../routes/devices/list-uncollected.ts';
import { listVendors } from '../routes/devices/list-vendors.ts';
import { managedDevices } from '../routes/devices/managed-devices.ts';
import { oneDevice } from '../routes/devices/one-device.ts';
import { discoveries } from '../routes/discoveries/read-discoveries.ts';
import { rediscoverDevice } from '../routes/discoveries/rediscover-device.ts';

/** Registers the API's own routes and those of other plugins, all in one description. */
export async function mountRoutes(
  app: FastifyInstance,
  context: ApiContext,
  callers: HttpCallers,
  added: readonly RoutePlugin[],
): Promise<void> {
  await describeRoutes(app, context.collector.version);
  const own = [
    ownMetrics,
    mergeAnswers,
    forwardToOwner,
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
    collectorState,
    clusterState,
    followEvents,
  ].map((build) => build(context));
  const { waitMs, stopping } = context;
  for (const routes of [...own, ...added]) await app.register(routes, { waitMs, stopping, callers });
}
