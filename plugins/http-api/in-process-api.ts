import { ApiClient } from '../../src/client/index.ts';
import { checkOptions, definePlugin, type ServiceToken, serviceToken } from '../../src/kernel/index.ts';
import { Type } from '../../src/typebox.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { type HttpCaller, type HttpCallers, httpRoutesToken } from '../http-routes/service.ts';
import { snmpClientToken } from '../snmp-client/service.ts';
import { discoveryToken } from '../snmp-discovery/service.ts';
import { type HttpOptions, httpOptions } from './options.ts';
import { oneDevice } from './routes/devices/one-device.ts';
import { discoveries } from './routes/discoveries/read-discoveries.ts';
import { rediscoverDevice } from './routes/discoveries/rediscover-device.ts';
import { createServer } from './server/create-server.ts';

/** A client of the routes of the collector in this process. Nothing listens. */
export const inProcessApiToken: ServiceToken<ApiClient> = serviceToken<ApiClient>('in-process-api');

/** The most that a timer takes: a command waits for as long as its device needs. */
const longestMs = 2 ** 31 - 1;

const command: HttpCaller = { name: 'a command', role: 'admin', isCurrent: () => true };

const callers: HttpCallers = {
  areRequired: () => false,
  of: () => command,
  identify: async () => command,
  recognize: () => {},
};

/** Serves the routes for one device to a client in the same process, without a socket, a guard or the other routes. */
export const inProcessApi = definePlugin({
  name: 'in-process-api',
  kind: 'api',
  summary: 'Serves the routes for one device to the command that started the collector.',
  options: Type.Object({}),
  needs: {
    routes: httpRoutesToken,
    definitions: definitionsToken,
    registry: deviceRegistryToken,
    client: snmpClientToken,
    discovery: discoveryToken,
  },
  provides: inProcessApiToken,
  async start({ needs, events, log, onStop }) {
    const { routes, ...services } = needs;
    const stopping = new AbortController();
    onStop(() => stopping.abort());
    const sources = { baseDirectory: '/', secrets: { env: {}, directory: undefined } };
    const { options } = checkOptions(httpOptions, {}, sources);
    const { app } = createServer(options as HttpOptions, undefined, log);
    onStop(() => app.close());
    const facts = { waitMs: longestMs, stopping: stopping.signal, callers };
    const shards = { fleet: undefined };
    const context = { ...services, ...facts, shards, events, now: Date.now };
    const own = [rediscoverDevice, discoveries, oneDevice].map((build) => build(context));
    for (const plugin of [...own, ...routes.take()]) await app.register(plugin, facts);
    const inject: typeof fetch = async (url, { method = 'GET', headers, body } = {}) => {
      const answer = await app.inject({
        method: method as 'GET',
        url: String(url),
        headers: headers as Record<string, string>,
        ...(body === undefined ? {} : { payload: String(body) }),
      });
      const isEmpty = answer.payload === '';
      return new Response(isEmpty ? null : answer.payload, {
        status: answer.statusCode,
        headers: { 'content-type': String(answer.headers['content-type'] ?? '') },
      });
    };
    return new ApiClient({ baseUrl: 'http://in-process', fetch: inject, timeoutMs: longestMs });
  },
});
