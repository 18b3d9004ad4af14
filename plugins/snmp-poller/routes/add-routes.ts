import type { HttpRoutes } from '../../http-routes/service.ts';
import { explainValueRoute } from './explain-value-route.ts';
import { latestRecords } from './latest-records.ts';
import { pollNow } from './poll-now.ts';
import { pollingFigures } from './polling-figures.ts';
import type { RouteTools } from './route-tools.ts';

/** What the poller shows of itself over HTTP. */
export function addRoutes(routes: HttpRoutes, tools: RouteTools): void {
  for (const build of [latestRecords, explainValueRoute, pollNow, pollingFigures]) routes.add(build(tools));
}
