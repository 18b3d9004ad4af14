import { ApiClient } from '../../src/client/index.ts';
import { checkOptions, definePlugin, type ServiceToken, serviceToken } from '../../src/kernel/index.ts';
import { Type } from '../../src/typebox.ts';
import { type HttpCaller, type HttpCallers, httpRoutesToken } from '../http-routes/service.ts';
import { type HttpOptions, httpOptions } from './options.ts';
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

/** Serves the routes of plugins to a client in the same process, without a socket, a guard or the routes about the collector. */
export const inProcessApi = definePlugin({
  name: 'in-process-api',
  kind: 'api',
  summary: 'Serves the routes of plugins to the command that started the collector.',
  options: Type.Object({}),
  needs: { routes: httpRoutesToken },
  provides: inProcessApiToken,
  async start({ needs: { routes }, log, onStop }) {
    const stopping = new AbortController();
    onStop(() => stopping.abort());
    const sources = { baseDirectory: '/', secrets: { env: {}, directory: undefined } };
    const { options } = checkOptions(httpOptions, {}, sources);
    const checked = options as HttpOptions;
    const { app } = createServer(checked, undefined, log);
    onStop(() => app.close());
    const facts = {
      waitMs: longestMs,
      stopping: stopping.signal,
      callers,
      managedDevices: checked.managed_devices,
      askOthers: async () => undefined,
    };
    for (const plugin of routes.take()) await app.register(plugin, facts);
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
