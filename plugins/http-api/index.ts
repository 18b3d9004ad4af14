import { definePlugin } from '../../src/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { discoveryToken } from '../snmp-discovery/service.ts';
import { httpOptions } from './options.ts';
import { checkExposure } from './security/exposure.ts';
import { guardServer } from './security/guard-server.ts';
import { createServer } from './server/create-server.ts';
import { mountRoutes } from './server/mount-routes.ts';
import { stopServer } from './server/stop-server.ts';
import { httpApiToken } from './service.ts';

export default definePlugin({
  name: 'http-api',
  kind: 'api',
  summary: 'Serves the HTTP API: applying definitions, rediscovering devices, and what other plugins add.',
  options: httpOptions,
  needs: {
    routes: httpRoutesToken,
    definitions: definitionsToken,
    registry: deviceRegistryToken,
    discovery: discoveryToken,
  },
  provides: httpApiToken,
  async start({ options, needs, events, log, collector, onStop }) {
    const { routes, ...services } = needs;
    const stopping = new AbortController();
    events.on('collector.stopping', () => stopping.abort());
    onStop(() => stopping.abort());

    checkExposure(options, false, log);
    const app = createServer(options, log);
    onStop(() => stopServer(app));
    const context = {
      ...services,
      collector,
      events,
      log,
      waitMs: options.wait_ms,
      stopping: stopping.signal,
      now: Date.now,
    };
    guardServer(app, { options, log, stopping: stopping.signal });
    await mountRoutes(app, context, routes.take());
    const baseUrl = await app.listen({ host: options.host, port: options.port });
    log.info({ baseUrl }, 'The HTTP API is open.');
    return { baseUrl };
  },
});
