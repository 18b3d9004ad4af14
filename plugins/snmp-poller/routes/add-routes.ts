import type { HttpRoutes } from '../../http-routes/service.ts';
import { explainValueRoute } from './explain-value-route.ts';
import { latestRecords } from './latest-records.ts';
import { pollNow } from './poll-now.ts';
import { pollingCounters } from './polling-counters.ts';
import type { RouteTools } from './route-tools.ts';

/** Adds the poller's HTTP routes. */
export function addRoutes(routes: HttpRoutes, tools: RouteTools): void {
  for (const build of [latestRecords, explainValueRoute, pollNow, pollingCounters]) routes.add(build(tools));
}
