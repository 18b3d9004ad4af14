import type { FastifyInstance } from 'fastify';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { followEvents } from '../events/follow-events.ts';
import { describeRoutes } from '../openapi/document.ts';
import type { ApiContext } from '../routes/api-context.ts';
import { applyDefinitions } from '../routes/apply-definitions.ts';
import { collectorState } from '../routes/collector/collector-state.ts';
import { ownMetrics } from '../routes/collector/metrics/own-metrics.ts';
import { listDevices } from '../routes/devices/list-devices.ts';
import { managedDevices } from '../routes/devices/managed-devices.ts';
import { oneDevice } from '../routes/devices/one-device.ts';
import { discoveries } from '../routes/discoveries.ts';
import { oneDefinition } from '../routes/one-definition.ts';
import { rediscoverDevice } from '../routes/rediscover-device.ts';
import { runningDefinitions } from '../routes/running-definitions.ts';

/** The collector's own routes and those of other plugins, all in one document. */
export async function mountRoutes(
  app: FastifyInstance,
  context: ApiContext,
  added: readonly RoutePlugin[],
): Promise<void> {
  await describeRoutes(app, context.collector.version);
  const own = [
    ownMetrics,
    applyDefinitions,
    rediscoverDevice,
    listDevices,
    oneDevice,
    managedDevices,
    runningDefinitions,
    oneDefinition,
    discoveries,
    collectorState,
    followEvents,
  ].map((build) => build(context));
  const { waitMs, stopping } = context;
  for (const routes of [...own, ...added]) await app.register(routes, { waitMs, stopping });
}
