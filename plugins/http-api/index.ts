import type { Server as HttpsServer } from 'node:https';
import { checkListen } from '../../src/connection/index.ts';
import { definePlugin, pipelineToken } from '../../src/index.ts';
import { parseNetwork } from '../../src/model/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { noDevices } from './api-context.ts';
import { type HttpOptions, httpOptions } from './options.ts';
import { Authentication, checkExposure } from './security/authentication.ts';
import { openCredentials } from './security/credentials/open-credentials.ts';
import { guard } from './security/guard-server.ts';
import { OverloadGuard } from './security/limits.ts';
import { httpStartFailure } from './security/start-failure.ts';
import { certificateEndMs, readTls, type TlsContext, warnOfExpiry, watchTls } from './security/tls-files.ts';
import { createServer } from './server/create-server.ts';
import { listen, stopServer } from './server/lifecycle.ts';
import { mountRoutes } from './server/mount-routes.ts';
import { httpApiToken } from './service.ts';

export * from './service.ts';

export default definePlugin({
  name: 'http-api',
  kind: 'api',
  summary:
    'Serves the HTTP API: the state of the collector, its events and metrics, and the routes of other plugins.',
  options: httpOptions,
  needs: {
    routes: httpRoutesToken,
    pipeline: pipelineToken,
    shards: shardsToken,
  },
  provides: httpApiToken,
  async check({ name, options, collector, log }) {
    const credentials = openCredentials(options, collector.stateDirectory, log, Date.now);
    checkExposure(options, credentials.areRequired(), log);
    readTls(options.tls);
    checkNetworks(options.managed_devices);
    await checkListen(name, options);
  },
  async start({ options, needs, events, log, collector, onStop }) {
    const { routes, pipeline, shards } = needs;
    checkNetworks(options.managed_devices);
    const stopping = new AbortController();
    events.on('collector.stopping', () => stopping.abort());
    onStop(() => stopping.abort());

    const credentials = openCredentials(options, collector.stateDirectory, log, Date.now);
    checkExposure(options, credentials.areRequired(), log);
    const overload = new OverloadGuard(options.limits.loop_delay_ms);
    onStop(() => overload.close());
    let tls = readTls(options.tls);
    const useTls = (context: TlsContext) => {
      tls = context;
      warnOfExpiry(context, options.tls!.certificate, log, Date.now());
    };
    if (tls !== undefined) useTls(tls);
    const { app, gate } = createServer(options, tls, log);
    onStop(() => stopServer(app));
    const context = {
      pipeline,
      shards,
      routes,
      devices: routes.findDevices() ?? noDevices,
      collector,
      events,
      log,
      managedDevices: options.managed_devices,
      waitMs: options.wait_ms,
      stopping: stopping.signal,
      refusedConnections: gate.refused,
      certificateEndMs: () => tls && certificateEndMs(tls),
      now: Date.now,
    };
    const isMember = (token: string) => shards.fleet?.requests?.isToken(token) === true;
    const authentication = new Authentication(credentials, isMember);
    await app.register(
      guard({ options, authentication, overload, log, stopping: stopping.signal, now: Date.now }),
    );
    await mountRoutes(app, context, authentication, routes.take());
    const address = await listen(app, options);
    const baseUrl = options.tls === undefined ? address : address.replace(/^http:/, 'https:');
    if (options.tls !== undefined)
      onStop(watchTls(options.tls, app.server as unknown as HttpsServer, log, useTls));
    log.info({ baseUrl }, 'The HTTP API is listening.');
    return { baseUrl };
  },
});

function checkNetworks({ networks = [] }: HttpOptions['managed_devices']): void {
  const network = networks.find((text) => parseNetwork(text) === undefined);
  if (network !== undefined) throw httpStartFailure('HTTP_NETWORK_INVALID', { network });
}
