import type { HttpRoutes } from '../../http-routes/service.ts';
import { explainValueRoute } from './routes/explain-value-route.ts';
import { latestRecords } from './routes/latest-records.ts';
import { pollNow } from './routes/poll-now.ts';
import { pollingFigures } from './routes/polling-figures.ts';
import type { RouteTools } from './routes/route-tools.ts';

/** What the poller shows of itself over HTTP. */
export function addRoutes(routes: HttpRoutes, tools: RouteTools): void {
  for (const build of [latestRecords, explainValueRoute, pollNow, pollingFigures]) routes.add(build(tools));
}
