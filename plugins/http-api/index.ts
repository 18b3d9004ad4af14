import type { Server as HttpsServer } from 'node:https';
import { checkListen } from '../../src/connection/index.ts';
import { definePlugin, pipelineToken } from '../../src/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { snmpClientToken } from '../snmp-client/service.ts';
import { discoveryToken } from '../snmp-discovery/service.ts';
import { httpOptions } from './options.ts';
import { createAddressCheck, createSecretCheck } from './routes/devices/managed-device-checks.ts';
import { Authentication, checkExposure } from './security/authentication.ts';
import { openCredentials } from './security/credentials/open-credentials.ts';
import { guard } from './security/guard-server.ts';
import { OverloadGuard } from './security/limits.ts';
import { certificateEndMs, readTls, type TlsContext, warnOfExpiry, watchTls } from './security/tls-files.ts';
import { createServer } from './server/create-server.ts';
import { listen, stopServer } from './server/lifecycle.ts';
import { mountRoutes } from './server/mount-routes.ts';
import { httpApiToken } from './service.ts';

export * from './service.ts';

export default definePlugin({
  name: 'http-api',
  kind: 'api',
  summary: 'Serves the HTTP API: definitions, devices, values, events, and the routes of other plugins.',
  options: httpOptions,
  needs: {
    routes: httpRoutesToken,
    definitions: definitionsToken,
    registry: deviceRegistryToken,
    client: snmpClientToken,
    discovery: discoveryToken,
    pipeline: pipelineToken,
    shards: shardsToken,
  },
  provides: httpApiToken,
  async check({ name, options, collector, log }) {
    const credentials = openCredentials(options, collector.stateDirectory, log, Date.now);
    checkExposure(options, credentials.areRequired(), log);
    readTls(options.tls);
    createAddressCheck(options.managed_devices);
    await checkListen(name, options);
  },
  async start({ options, needs, events, log, collector, onStop }) {
    const { routes, ...services } = needs;
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
      ...services,
      routes,
      collector,
      events,
      log,
      checkAddress: createAddressCheck(options.managed_devices),
      checkSecrets: createSecretCheck(options.managed_devices),
      waitMs: options.wait_ms,
      stopping: stopping.signal,
      refusedConnections: gate.refused,
      certificateEndMs: () => tls && certificateEndMs(tls),
      now: Date.now,
    };
    const isMember = (token: string) => needs.shards.fleet?.requests?.isToken(token) === true;
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
