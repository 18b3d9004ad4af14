import type { FastifyInstance } from 'fastify';
import type { HttpCallers, RoutePlugin } from '../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';
import { followEvents } from '../events/follow-events.ts';
import { othersOf } from '../fleet/ask-members.ts';
import { forwardToOwner } from '../fleet/forward-to-owner.ts';
import { mergeAnswers } from '../fleet/merge-answers.ts';
import { ownMetrics } from '../metrics/metrics-route.ts';
import { describeRoutes } from '../openapi/document.ts';
import { clusterState } from '../routes/cluster-state.ts';
import { collectorState } from '../routes/collector-state.ts';

/** Registers the API's own routes and those of other plugins, all in one description. */
export async function mountRoutes(
  app: FastifyInstance,
  context: ApiContext,
  callers: HttpCallers,
  added: readonly RoutePlugin[],
): Promise<void> {
  await describeRoutes(app, context.collector.version);
  const build = (all: readonly ((context: ApiContext) => RoutePlugin)[]) => all.map((each) => each(context));
  // What counts and passes on requests comes before the routes.
  const before = build([ownMetrics, mergeAnswers, forwardToOwner]);
  const own = build([collectorState, clusterState, followEvents]);
  const { waitMs, stopping, managedDevices } = context;
  const facts = { waitMs, stopping, callers, managedDevices, askOthers: othersOf(context.shards) };
  for (const routes of [...before, ...added, ...own]) await app.register(routes, facts);
}
