import { defineErrors, definePlugin } from '../../src/index.ts';
import { httpRouteErrors } from './errors.ts';
import { type ApiDevices, type HttpRoutes, httpRoutesToken, type RoutePlugin } from './service.ts';

export * from './service.ts';

const failure = defineErrors(httpRouteErrors);

export default definePlugin({
  name: 'http-routes',
  kind: 'service',
  summary: 'Collects the routes that plugins add to the HTTP API.',
  provides: httpRoutesToken,
  start: collectRoutes,
});

function collectRoutes(): HttpRoutes {
  const added: RoutePlugin[] = [];
  const lists: Parameters<HttpRoutes['addMetrics']>[0][] = [];
  let devices: ApiDevices | undefined;
  let isTaken = false;
  return {
    add(routes) {
      if (isTaken) throw failure('HTTP_ROUTES_LATE', {});
      added.push(routes);
    },
    addMetrics(list) {
      lists.push(list);
    },
    async listMetrics() {
      const settled = await Promise.allSettled(lists.map(async (list) => list()));
      return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    },
    addDevices(given) {
      if (isTaken) throw failure('HTTP_ROUTES_LATE', {});
      if (devices !== undefined) throw failure('HTTP_DEVICES_TWICE', {});
      devices = given;
    },
    findDevices: () => devices,
    take() {
      isTaken = true;
      return added;
    },
  };
}
